// The classes that the platform needs. The host's own come from the build; beside them stand
// an object of this Worker's, and a `fetch` of its own.

import Host, { ConnectionObject, PrincipalObject, Runner } from "./build/src/workers/entry.mjs";

const { rust, fence, Kept, use } = Host.parts;

export { ConnectionObject, PrincipalObject, Runner };

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
