"""All that Plies uses of Numba beyond its public interface, so that a new version breaks in one place.

Public are `numba`, `numba.types`, `numba.extending` and `numba.core.errors`; tests/test_numba_internals.py
names the rest. Nothing here changes Numba for others: what differs is a subclass or a pass of our own.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol
from weakref import WeakValueDictionary

from numba import types
from numba.core import cgutils, errors, ir
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.imputils import lower_getattr_generic
from numba.core.ir_utils import get_definition, guard
from numba.core.lowering import Lower
from numba.core.serialize import NumbaPickler
from numba.core.typed_passes import NativeLowering, NopythonTypeInference
from numba.core.typeinfer import TypeInferer
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, signature
from numba.core.typing.typeof import Purpose
from numba.core.untyped_passes import RewriteSemanticConstants
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import models, register_model
from numba.np.arrayobj import populate_array

__all__ = [
    "UNRESOLVED",
    "AbstractTemplate",
    "AttributeTemplate",
    "CodeCache",
    "CompilerBase",
    "Entry",
    "FunctionPass",
    "PassManager",
    "Purpose",
    "Unsettled",
    "cgutils",
    "entered_by",
    "entry_point",
    "get_definition",
    "guard",
    "infer_getattr",
    "ir",
    "lower_getattr_generic",
    "nopython_passes",
    "object_code",
    "populate_array",
    "register_pass",
    "return_type",
    "settle_branch",
    "settling_late",
    "signature",
    "tuple_setitem",
    "use_cache",
    "without",
]


# -- Machine code: inlining and vectorization.

INLINE_THRESHOLD = 500
"""The cost up to which LLVM inlines a function of ours. A generator of actions must be inlined where a kernel
loops over it: at LLVM's own 225, whether it is depends on the order of some set, and where it is not, perft
of Connect Four takes 2.4 times as long. (llvmlite's `inlining_threshold` keeps only the lowest byte.)"""


class TunedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel, and with it that of parts which recursive calls look for by their addresses."""

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(UNRESOLVED):
                part = PARTS.get(variable.name.removeprefix(UNRESOLVED))
                if part is not None:
                    part.make()


class PartLibrary(TunedLibrary):
    """The code of a rule or helper, which kernels take in and seldom call: no machine code is made of it.

    Of the 85 functions of alpha-beta for Connect Four that leaves 21, and saves an eighth of the time to
    compile it; for Gomoku, whose rules are long, a third. Nor is it fully optimised, as it will be in each
    kernel that takes it in: a fifth for Connect Four, a quarter for chess, and kernels are no slower.
    """

    made = False

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(
            cost="cheap", opt=0, loop_vectorize=False, slp_vectorize=False
        )
        passes.run(self._final_module, builder)

    def make(self) -> None:
        """Make machine code of it after all."""
        if not self.made:
            self.made = True
            self._dynamic_globals.clear()
            super()._finalize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        """There is none, and nobody calls it."""
        self._ensure_finalized()
        return 0

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True
        for function in self.get_defined_functions():
            PARTS.setdefault(function.name, self)


class RootLibrary(PartLibrary):
    """The code of a kernel with an entry of our own, fully optimised, from which object code is made."""

    def _optimize_final_module(self) -> None:
        super(PartLibrary, self)._optimize_final_module()


UNRESOLVED = ".numba.unresolved$"
"""Before this, Numba names the address of a function that a recursive call finds only when it runs."""

PARTS: WeakValueDictionary[str, PartLibrary] = WeakValueDictionary()
"""The parts that define each function, for such calls."""


class TunedCodegen(JITCPUCodegen):  # type: ignore[misc]
    """Numba's code generator with SLP vectorization, by which bitboards gain; it has no state of its own."""

    _library_class = TunedLibrary

    def __init__(self, codegen: JITCPUCodegen) -> None:
        self.__dict__ = codegen.__dict__  # one execution engine: code of both must find each other

    def _pass_builder(self, **options: Any) -> Any:
        return super()._pass_builder(**{"slp_vectorize": True, **options})


class PartCodegen(TunedCodegen):
    """The code generator of parts."""

    _library_class = PartLibrary

    def set_env(self, env_name: str, env: Any) -> None:
        """There is no machine code to set it in."""


class Entry(Protocol):
    """An entry of our own for a kernel, in place of Numba's wrapper for Python."""

    @property
    def function(self) -> str:
        """The qualified name of the kernel's function."""

    def emit(self, context: Any, library: Any, fndesc: Any) -> None:
        """Add it to the library of the function, given by its descriptor."""


_entry: ContextVar[Entry | None] = ContextVar("entry", default=None)


@contextmanager
def entered_by(entry: Entry) -> Iterator[None]:
    """Give a kernel this entry, and make no machine code yet."""
    token = _entry.set(entry)
    try:
        yield
    finally:
        _entry.reset(token)


class RootCodegen(PartCodegen):
    """The code generator of kernels with an entry of our own."""

    _library_class = RootLibrary


class TunedLower(Lower):  # type: ignore[misc]
    """Numba's lowering, in which each function, or body of a generator, says up to what cost to inline it."""

    def setup_function(self, fndesc: Any) -> None:
        super().setup_function(fndesc)
        # llvmlite knows no attributes with values, but writes them out as they are.
        set.add(self.function.attributes, f'"function-inline-threshold"="{INLINE_THRESHOLD}"')

    def create_cpython_wrapper(self, release_gil: bool = False) -> None:
        entry = _entry.get()
        if entry is None:
            super().create_cpython_wrapper(release_gil)
        elif self.fndesc.qualname == entry.function:
            entry.emit(self.context, self.library, self.fndesc)


@register_pass(mutates_CFG=True, analysis_only=False)
class TunedLowering(NativeLowering):  # type: ignore[misc]
    """From Numba's intermediate code to LLVM's and on to machine code, tuned as above."""

    _name = "plies_lowering"

    def __init__(self) -> None:
        super().__init__()

    @property
    def lowering_class(self) -> type[Lower]:
        return TunedLower

    def run_pass(self, state: Any) -> bool:
        name, entry = state.func_id.func_qualname, _entry.get()
        codegen = TunedCodegen if entry is None else RootCodegen if name == entry.function else PartCodegen
        if state.flags.no_cpython_wrapper:
            codegen = PartCodegen
        state.library = codegen(state.targetctx.codegen()).create_library(name)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


def entry_point(dispatcher: Any, signature: tuple[Any, ...]) -> Any:
    """What calls a function compiled in Numba's way."""
    return dispatcher.overloads[signature].entry_point


def return_type(dispatcher: Any) -> Any:
    """The type that a compiled function returns."""
    (result,) = dispatcher.overloads.values()
    return result.signature.return_type


def object_code(dispatcher: Any) -> bytes | None:
    """The object code of a kernel with an entry of our own; None if it cannot do alone.

    That is if it holds addresses of this process, or looks for a function when it runs.
    """
    (result,) = dispatcher.overloads.values()
    library = result.library
    unresolved = any(one.name.startswith(UNRESOLVED) for one in library._final_module.global_variables)
    if library.has_dynamic_globals or unresolved:
        return None
    return bytes(library._codegen._tm.emit_object(library._final_module))


# -- Types of recursive functions.


class Unsettled(Exception):
    """Raised if the return type of a recursive function is not the one first inferred."""


_settling_late: ContextVar[bool] = ContextVar("settling_late", default=False)


@contextmanager
def settling_late() -> Iterator[None]:
    """Infer the return types of recursive functions in Numba's own way, which is slower and always right."""
    token = _settling_late.set(True)
    try:
        yield
    finally:
        _settling_late.reset(token)


class SettlingInferer(TypeInferer):  # type: ignore[misc]
    """Infers the return type of a recursive function once; `Unsettled` if it changes later.

    To type a recursive call, Numba types the whole function once more, without such calls, at every call and
    in every round. The answer is nearly always the same.
    """

    settled: Any = None

    def return_types_from_partial(self) -> Any:
        if self.settled is None:
            self.settled = super().return_types_from_partial()
        return self.settled

    def get_return_type(self, typemap: Any) -> Any:
        found = super().get_return_type(typemap)
        if self.settled is not None and self.settled != found:
            raise Unsettled
        return found


@register_pass(mutates_CFG=True, analysis_only=False)
class SettlingTypeInference(NopythonTypeInference):  # type: ignore[misc]
    """Type inference as Numba's, by a `SettlingInferer`."""

    _name = "plies_type_inference"

    def run_pass(self, state: Any) -> bool:
        if _settling_late.get():
            return bool(super().run_pass(state))
        warnings = errors.WarningsFixer(errors.NumbaWarning)  # type: ignore[attr-defined]
        inferer = SettlingInferer(state.typingctx, state.func_ir, warnings)
        frame = state.typingctx.callstack.register(
            state.targetctx.target, inferer, state.func_ir.func_id, state.args
        )
        with frame, warnings:
            for index, (name, typ) in enumerate(zip(state.func_ir.arg_names, state.args, strict=True)):
                inferer.seed_argument(name, index, typ)
            if state.return_type is not None:
                inferer.seed_return(state.return_type)
            for name, typ in state.locals.items():
                inferer.seed_type(name, typ)
            inferer.build_constraint()
            state.typing_errors = inferer.propagate(raise_errors=True)
            state.typemap, state.return_type, state.calltypes = inferer.unify(raise_errors=True)
        if isinstance(state.return_type, types.Function | types.Phantom):
            raise errors.NumbaTypeError(
                f"Can't return function object ({state.return_type}) in nopython mode"
            )
        return True


# -- Records.


class RecordWithout(types.Record):  # type: ignore[misc]
    """A record of which some fields are always 0, so that what they switch on is not compiled."""

    def __init__(self, record: types.Record, off: frozenset[str]) -> None:
        self.__dict__.update(vars(record))
        self.name = f"{record.name} without {', '.join(sorted(off))}"
        self.facts = dict.fromkeys(off, False)
        """By name: whether the field is true."""


register_model(RecordWithout)(models.RecordModel)


def without(typ: Any, off: frozenset[str]) -> Any:
    """The type of an argument; of a record, without the fields that are always 0."""
    always = off & typ.fields.keys() if isinstance(typ, types.Record) else frozenset()
    return RecordWithout(typ, always) if always else typ


# -- The pipeline.


def nopython_passes(state: Any, fold: type) -> PassManager:
    """The passes of Numba's compiler, with those above, and with `fold` before types are inferred."""
    passes = DefaultPassBuilder.define_nopython_pipeline(state)
    passes.add_pass_after(fold, RewriteSemanticConstants)
    ours = {NopythonTypeInference: SettlingTypeInference, NativeLowering: TunedLowering}
    assert ours.keys() <= {one for one, _ in passes.passes}
    passes.passes = [(ours.get(one, one), description) for one, description in passes.passes]
    passes.finalize()
    return passes


def settle_branch(function: Any, block: Any, test: Any, value: bool) -> None:
    """Make the branch at the end of a block depend on a constant, instead of the test `bool(…)`."""
    branch = block.body[-1]
    variable = block.scope.redefine("$fact", branch.loc)
    constant = ir.Const(value, branch.loc)
    block.prepend(ir.Assign(constant, variable, branch.loc))
    function._definitions[variable.name].append(constant)
    test.args = [variable]


# -- Code as bytes.


class _Pickler(NumbaPickler):  # type: ignore[misc]
    """Pickles classes of the main program by name, where Numba would copy them: a copy is another class."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, type) and obj.__module__ == "__main__":
            return NotImplemented
        return super().reducer_override(obj)


class CodeCache(NullCache):  # type: ignore[misc]
    """A cache in Numba's interface, for code as bytes, which the caller has verified."""

    def __init__(
        self, signature: tuple[Any, ...], code: bytes | None, warn: Callable[[str], None], keeps: bool
    ) -> None:
        self.signature = signature
        self.keeps = keeps
        """Whether code is wanted for storing."""
        self.code = code
        """The cached code, if there is any."""
        self.made: bytes | None = None
        """The code to store, once it is compiled."""
        self.warn = warn

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        if self.code is None:
            return None
        target_context.refresh()
        try:
            signature, parts = pickle.loads(self.code)
            if signature == self.signature:
                return CompileResult._rebuild(target_context, *parts)
        except Exception as error:  # it may refer to something that no longer exists
            self.warn(f"the cached code cannot be loaded ({first_line(error)})")
        return None

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        if not self.keeps:
            return None
        if data.library.has_dynamic_globals:
            return self.warn("it holds addresses, such as those of large global arrays")
        try:
            buffer = io.BytesIO()
            _Pickler(buffer).dump((self.signature, data._reduce()))
            self.made = buffer.getvalue()
        except Exception as error:  # pickling may raise anything
            self.warn(f"it cannot be pickled ({first_line(error)})")
        return None


def use_cache(dispatcher: Any, cache: CodeCache) -> None:
    """Have a function that Numba compiles look in a cache first."""
    dispatcher._cache = cache


def first_line(error: BaseException) -> str:
    """The first line of what an error says, or its type if it says nothing."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
