// The classes that the platform needs. The host's own come from the build; beside them stand
// an object of this Worker's, and a `fetch` of its own.

import Host from "./build/src/workers/entry.mjs";

// All the host's: those of connections that the configuration doesn't have are never made.
export { ConnectionObject, Outbound, PenObject, PrincipalObject, Runner, SessionGrants, UpstreamObject } from "./build/src/workers/entry.mjs";

const { rust, fence, Kept, use } = Host.parts;

/** All notes. The Rust class `Notebook` answers its requests. */
export class NotebookObject extends Kept {
  constructor(ctx, env) {
    super(ctx, env, () => new rust.Notebook(ctx, env));
  }

  fetch(request) {
    return this[use]((notebook) => notebook.fetch(request));
  }
}

/** The service's methods are the host's; requests go to the Rust function `fetch` first. */
export default class extends Host {
  fetch(request) {
    return fence(() => rust.fetch(request, this.env, this.ctx));
  }
}
