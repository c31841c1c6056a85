// Tokens of an issuer, whose signatures the platform checks.

import assert from "node:assert/strict";
import { createSign, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { Session, text } from "./host/streaming.mjs";
import { Workerd } from "./host/workerd.mjs";

const ISSUER = "https://login.example";
const AUDIENCE = "https://m.example/mcp";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** @param {unknown} value */
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = () => Math.floor(Date.now() / 1_000);

const claims = () => ({ iss: ISSUER, aud: AUDIENCE, sub: "ada", exp: now() + 600, nbf: now() - 10, role: "admin" });

/**
 * @param {"RS256" | "ES256"} alg
 * @param {import("node:crypto").KeyObject} key
 * @param {string} kid
 * @param {object} [more] claims
 */
function token(alg, key, kid, more = {}) {
  const signed = `${part({ alg, kid, typ: "JWT" })}.${part({ ...claims(), ...more })}`;
  const signature =
    alg === "RS256"
      ? createSign("sha256").update(signed).sign(key)
      : sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

/** @type {Workerd} */
let workerd;
/** @type {import("node:http").Server} */
let issuer;
let fetches = 0;

before(async () => {
  const keys = [
    { ...rsa.publicKey.export({ format: "jwk" }), kid: "r", alg: "RS256", use: "sig", key_ops: ["verify"] },
    { ...ec.publicKey.export({ format: "jwk" }), kid: "e", alg: "ES256", use: "sig" },
  ];
  issuer = createServer((request, response) => {
    fetches += 1;
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys }));
  }).listen(0, "127.0.0.1");
  await once(issuer, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (issuer.address());
  workerd = await Workerd.start({
    build: "faults",
    vars: {
      MYCELIUM_JWT_ISSUER: ISSUER,
      MYCELIUM_JWT_AUDIENCE: AUDIENCE,
      MYCELIUM_JWT_JWKS_URL: `http://127.0.0.1:${port}/keys`,
    },
  });
});
after(async () => {
  issuer.close();
  await workerd.stop();
});

/** @param {string} bearer */
const bearing = (bearer) => ({ authorization: `Bearer ${bearer}` });

test("a_good_token_is_its_subject_whichever_way_it_is_signed", async () => {
  for (const good of [token("RS256", rsa.privateKey, "r"), token("ES256", ec.privateKey, "e")]) {
    const session = await Session.open(workerd.url, bearing(good));
    const seen = JSON.parse(text(await (await session.execute("return witness.see({})")).answer()));
    assert.equal(seen.principal, "member:ada");
  }
  assert.equal(fetches, 1, "keys are kept");
});

test("a_token_that_the_issuer_did_not_sign_for_here_and_now_is_refused", async () => {
  const good = token("RS256", rsa.privateKey, "r");
  const [head, , signature] = good.split(".");
  const wrong = [
    token("RS256", stranger.privateKey, "r"),
    token("ES256", ec.privateKey, "r"),
    token("RS256", rsa.privateKey, "unknown"),
    token("RS256", rsa.privateKey, "r", { aud: "https://other.example" }),
    token("RS256", rsa.privateKey, "r", { iss: "https://evil.example" }),
    token("RS256", rsa.privateKey, "r", { exp: now() - 120 }),
    `${head}.${part({ ...claims(), sub: "root" })}.${signature}`,
    `${part({ alg: "none" })}.${part(claims())}.`,
    good.slice(0, -4),
  ];
  for (const refused of wrong) {
    await assert.rejects(Session.open(workerd.url, bearing(refused)), { status: 401 });
  }
  await Session.open(workerd.url, bearing(good));
});
