// The module that each run brings: what intake makes of the model's program.

declare const program: () => Promise<unknown>;
export default program;
