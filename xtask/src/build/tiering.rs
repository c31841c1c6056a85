//! Lets V8 compile what a run touches with its optimizing compiler, once.
//!
//! V8 drops the baseline code of a whole process whenever an isolate is created, and
//! one is created for every program. Functions would be compiled anew for each run,
//! which takes longer than the run. Optimized code is kept; but a function is only
//! optimized after it has used up a budget that a few thousand runs don't.
//!
//! So the functions that ordinary work touches get a prologue. It does nothing until
//! the module's own global `spins` is set: then it goes round a loop and returns. Each
//! round costs budget as if the block in it, which is never entered, had been run
//! through. Exported functions `warm0`, `warm1`, … do that to some functions each, and
//! `warming.mjs` calls them one by one. An engine with other rules loses nothing.

use std::{collections::BTreeSet, fs, path::Path};

use walrus::{
    ConstExpr, FunctionBuilder, FunctionId, FunctionKind, GlobalId, InstrSeqBuilder, Module,
    ModuleConfig, RefType, ValType,
    ir::{BinaryOp, GlobalGet, Value},
};

use super::names::legible;
use crate::failure::Failure;

/// Rounds of the loop: V8's budget is 13 000 000 bytes of machine code, and the block
/// that a round passes over is more than 2 000 of them.
const SPINS: i32 = 8_000;

/// Divisions in the block that is passed over: each has checks, so it is long in
/// machine code and short in the module.
const DIVISIONS: usize = 60;

/// Functions warmed by one exported function: a millisecond or two.
const SLICE: usize = 32;

/// Writes the module at `from` to `to`, with prologues for the functions whose indexes
/// are `touched` and names that are no longer than they have to be. Returns how many have one.
pub(super) fn prepare(from: &Path, touched: &BTreeSet<usize>, to: &Path) -> Result<usize, Failure> {
    let mut config = ModuleConfig::new();
    config.generate_producers_section(false);
    let mut module = config
        .parse_file(from)
        .map_err(|error| Failure::step("read a module that is to be warmed", &error))?;
    let spins =
        module.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
    let functions = touched_functions(&module, touched);
    for (function, signature) in &functions {
        add_prologue(&mut module, *function, signature, spins);
    }
    for (number, slice) in functions.chunks(SLICE).enumerate() {
        add_slice(&mut module, number, slice, spins);
    }
    for function in module.funcs.iter_mut() {
        function.name = function.name.take().map(|name| legible(&name));
    }
    fs::write(to, module.emit_wasm()).map_err(|error| Failure::file(to, &error))?;
    Ok(functions.len())
}

/// The values that stand for a call's parameters and results while it is warmed.
#[derive(Clone, Debug)]
struct Signature {
    parameters: Vec<Stand>,
    results: Vec<Stand>,
}

/// A value of some type, whichever.
#[derive(Clone, Copy, Debug)]
enum Stand {
    Number(Value),
    Nothing(RefType),
}

impl Stand {
    fn of(of: ValType) -> Option<Self> {
        match of {
            ValType::I32 => Some(Self::Number(Value::I32(0))),
            ValType::I64 => Some(Self::Number(Value::I64(0))),
            ValType::F32 => Some(Self::Number(Value::F32(0.0))),
            ValType::F64 => Some(Self::Number(Value::F64(0.0))),
            ValType::V128 => Some(Self::Number(Value::V128(0))),
            ValType::Ref(reference) => reference.nullable.then_some(Self::Nothing(reference)),
        }
    }

    fn push(self, code: &mut InstrSeqBuilder<'_>) {
        match self {
            Self::Number(number) => code.const_(number),
            Self::Nothing(reference) => code.ref_null(reference),
        };
    }
}

/// Those of the module's own functions, with their signatures. Imports have no code.
fn touched_functions(module: &Module, touched: &BTreeSet<usize>) -> Vec<(FunctionId, Signature)> {
    let indexed = module.funcs.iter().enumerate();
    let wanted = indexed.filter(|(index, _)| touched.contains(index)).map(|(_, function)| function);
    wanted
        .filter(|function| matches!(function.kind, FunctionKind::Local(_)))
        .filter_map(|function| {
            let types = module.types.get(function.ty());
            let stands = |types: &[ValType]| types.iter().copied().map(Stand::of).collect();
            let (parameters, results): (Option<_>, Option<_>) =
                (stands(types.params()), stands(types.results()));
            let signature = Signature { parameters: parameters?, results: results? };
            Some((function.id(), signature))
        })
        .collect()
}

fn add_prologue(module: &mut Module, function: FunctionId, signature: &Signature, spins: GlobalId) {
    let FunctionKind::Local(local) = &mut module.funcs.get_mut(function).kind else {
        return;
    };
    let mut body = local.builder_mut().func_body();
    body.instr_at(0, GlobalGet { global: spins });
    body.if_else_at(
        1,
        None,
        |warmed| {
            warmed.loop_(None, |round| spin(round, spins));
            signature.results.iter().for_each(|result| result.push(warmed));
            warmed.return_();
        },
        |_| {},
    );
}

/// One round: past the block, one less, and again until none is left.
fn spin(round: &mut InstrSeqBuilder<'_>, spins: GlobalId) {
    let again = round.id();
    round.block(None, |passed| {
        let past = passed.id();
        passed.global_get(spins).br_if(past);
        for _ in 0..DIVISIONS {
            passed.i32_const(0).i32_const(0).binop(BinaryOp::I32RemS).drop();
        }
    });
    round.global_get(spins).i32_const(1).binop(BinaryOp::I32Sub).global_set(spins);
    round.global_get(spins).br_if(again);
}

/// Exports a function that warms these.
fn add_slice(
    module: &mut Module,
    number: usize,
    slice: &[(FunctionId, Signature)],
    spins: GlobalId,
) {
    let name = format!("warm{number}");
    let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
    builder.name(name.clone());
    let mut body = builder.func_body();
    for (function, signature) in slice {
        body.i32_const(SPINS).global_set(spins);
        signature.parameters.iter().for_each(|parameter| parameter.push(&mut body));
        body.call(*function);
        signature.results.iter().for_each(|_| {
            body.drop();
        });
    }
    let function = builder.finish(Vec::new(), &mut module.funcs);
    module.exports.add(&name, function);
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, env, fs, process};

    use walrus::{FunctionBuilder, FunctionId, Module, ValType};

    use super::{SLICE, prepare};

    /// A module of one import and `count` functions from two numbers to one.
    fn module(count: usize) -> Module {
        let mut module = Module::default();
        let nothing = module.types.add(&[], &[]);
        module.add_import_func("host", "nothing", nothing);
        for number in 0..count {
            let parameters = [ValType::I32, ValType::F64];
            let mut builder = FunctionBuilder::new(&mut module.types, &parameters, &[ValType::I64]);
            builder.func_body().i64_const(i64::try_from(number).unwrap());
            let locals = parameters.map(|of| module.locals.add(of)).to_vec();
            let function = builder.finish(locals, &mut module.funcs);
            module.exports.add(&format!("f{number}"), function);
        }
        module
    }

    fn prepared(name: &str, count: usize, touched: &[usize]) -> (Module, usize) {
        let folder = env::temp_dir().join(format!("mycelium-tiering-{name}-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (from, to) = (folder.join("from.wasm"), folder.join("to.wasm"));
        fs::write(&from, module(count).emit_wasm()).unwrap();
        let touched: BTreeSet<usize> = touched.iter().copied().collect();
        let functions = prepare(&from, &touched, &to).unwrap();
        // Reading it validates it.
        let module = Module::from_file(&to).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        (module, functions)
    }

    fn exported(module: &Module, name: &str) -> FunctionId {
        module.exports.get_func(name).unwrap()
    }

    fn instructions(module: &Module, name: &str) -> u64 {
        module.funcs.get(exported(module, name)).kind.unwrap_local().size()
    }

    #[test]
    fn what_is_touched_gets_a_prologue_and_nothing_else_changes() {
        let (module, functions) = prepared("prologue", 3, &[0, 2]);
        assert_eq!(functions, 1, "an import has no code to warm");
        assert_eq!(instructions(&module, "f0"), instructions(&module, "f2"));
        assert!(instructions(&module, "f1") > instructions(&module, "f0") + 100);
    }

    #[test]
    fn every_prepared_function_is_in_a_slice() {
        let count = 2 * SLICE + 1;
        let all: Vec<usize> = (1..=count).collect();
        let (module, functions) = prepared("slices", count, &all);
        assert_eq!(functions, count);
        for slice in ["warm0", "warm1", "warm2"] {
            exported(&module, slice);
        }
        assert!(module.exports.get_func("warm3").is_err());
    }
}
