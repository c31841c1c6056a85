// The example of a bound Worker, as its reader runs it: two Workers and a database in `wrangler dev`.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Wrangler } from "./host/wrangler.mjs";

describe("examples/service", () => {
  /** @type {Wrangler} */
  let wrangler;
  before(async () => {
    wrangler = await Wrangler.start("examples/service/wrangler.toml");
  });
  after(() => wrangler?.stop());

  /**
   * @param {string} code
   * @param {string} query
   */
  async function run(code, query) {
    const response = await fetch(`${wrangler.url}/run?${query}`, { method: "POST", body: code });
    const text = await response.text();
    assert.ok([200, 422].includes(response.status), `${text}\n${wrangler.log.slice(-2000)}`);
    return JSON.parse(text);
  }

  test("a_reader_reads_the_database_and_writes_nothing", async () => {
    const found = await run("return customers.find({ name: 'Ada' })", "role=reader");
    assert.deepEqual(found.value, [{ id: 1, name: "Ada Lovelace", notes: [] }], JSON.stringify(found));
    const refused = await run("return customers.note({ id: 1, text: 'hello' })", "role=reader");
    assert.equal(refused.value.reason, "read-only", JSON.stringify(refused));
    assert.equal(refused.refusals.listed.length, 1);
    assert.deepEqual((await run("return customers.find({ name: 'Ada' })", "role=reader")).value[0].notes, []);
  });

  test("an_editor_changes_the_database_by_programs", async () => {
    const code = `
      const [grace] = await customers.find({ name: "Grace" });
      await customers.note({ id: grace.id, text: "called" });
      return customers.find({ name: "Grace" });`;
    const told = await run(code, "role=editor");
    assert.deepEqual(told.value?.[0].notes, ["called"], JSON.stringify(told));
    assert.deepEqual(told.calls.listed.map((/** @type {any} */ { path, outcome }) => [path, outcome]), [["customers.find", "done"], ["customers.note", "done"], ["customers.find", "done"]]);
  });

  test("a_person_agrees_to_an_erasure_or_nothing_is_erased", async () => {
    const erase = "return customers.erase({ id: 2 })";
    assert.equal((await run(erase, "role=editor")).value.reason, "declined");
    assert.equal((await run("return customers.find({ name: 'Grace' })", "role=reader")).value.length, 1);
    const erased = await run(erase, "role=editor&agrees=true");
    assert.deepEqual(erased.value, { erased: true }, JSON.stringify(erased));
    const again = await run(erase, "role=editor&agrees=true");
    assert.deepEqual([again.ok, again.code], [false, "capability-failed"]);
    assert.match(again.message, /there is no customer 2/);
  });

  test("zod_s_types_are_what_programs_are_held_to", async () => {
    for (const call of ["customers.find({ name: '' })", "customers.find({ title: 'x' })", "customers.note({ id: '1', text: 'x' })", "customers.note({ id: -1, text: 'x' })"]) {
      const told = await run(`return ${call}`, "role=editor");
      assert.deepEqual([told.ok, told.code], [false, "input-invalid"], `${call}: ${JSON.stringify(told)}`);
    }
    const described = JSON.stringify(await (await fetch(`${wrangler.url}/describe?role=editor`)).json());
    assert.match(described, /find\(input: customers\$find_Input\): Promise<customers\$find_Output/);
    assert.match(described, /The customers of the support desk/);
  });

  test("one_operation_is_called_without_a_program", async () => {
    const found = await (await fetch(`${wrangler.url}/find?role=reader&name=Ada`)).json();
    assert.equal(found.value?.[0].id, 1, JSON.stringify(found));
    const hidden = await (await fetch(`${wrangler.url}/find?name=Ada`)).json();
    assert.deepEqual([hidden.ok, hidden.refusal?.reason], [false, "not-granted"], JSON.stringify(hidden));
  });
});
