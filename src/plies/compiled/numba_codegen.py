"""What Plies uses of Numba's code generator beyond its public interface: how machine code is made of kernels.

See `numba_internals.py` for the rest. Nothing here changes Numba for others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from operator import getitem
from typing import Any, Protocol
from weakref import WeakValueDictionary

from numba.core import ir
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from plies.compiled.call_types import call_type

INLINE_THRESHOLD = 500
"""The cost up to which LLVM inlines a function of ours. A generator of actions must be inlined where a kernel
loops over it: at LLVM's own 225, whether it is depends on the order of some set, and where it is not, perft
of Connect Four takes 2.4 times as long. (llvmlite's `inlining_threshold` keeps only the lowest byte.)"""


class TunedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel, and with it that of parts which recursive calls look for by their addresses."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:  # Numba sets up dozens of passes for each of these, too
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def finalize(self) -> None:
        self._linking_libraries = self._all_parts()
        super().finalize()

    def _all_parts(self) -> list[Any]:
        """The libraries that this one needs: parts with those that they need in turn, each once.

        A library comes before those that it needs: of a module that is linked in, LLVM takes only functions
        that somebody calls by then.
        """
        found: dict[Any, None] = {}
        waiting = [(library, False) for library in self._linking_libraries]
        while waiting:
            library, done = waiting.pop()
            if done:
                found[library] = None
            elif library not in found:
                waiting.append((library, True))
                if isinstance(library, PartLibrary):
                    waiting += ((part, False) for part in library._linking_libraries if part not in found)
        return list(reversed(found))

    def _verify_declare_only_symbols(self) -> None:
        """Raise if code is missing: a call of it would end the process."""
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith(MANGLED):
                raise AssertionError(f"{function.name} is called by {self.name} and not linked into it")

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
    compile it; for Gomoku, whose rules are long, a third. Nor are parts linked to each other, or optimised
    beyond each function by itself, as they will be in each kernel that takes them in: another third.
    """

    made = False

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True
        for function in self.get_defined_functions():
            PARTS.setdefault(function.name, self)

    def make(self) -> None:
        """Make machine code of it after all."""
        if not self.made:
            self.made = True
            self._shared_module = self._final_module.clone()
            self._finalized = False
            super().finalize()

    def get_pointer_to_function(self, name: str) -> int:
        """There is none, and nobody calls it."""
        self._ensure_finalized()
        return 0


class RootLibrary(TunedLibrary):
    """The code of a kernel with an entry of our own, from which object code is made."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is none: the loader calls its entry."""
        self._ensure_finalized()
        return 0


MANGLED = "_ZN"
"""How the names of compiled Python functions begin."""

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
    """Numba's lowering, in which each function, or body of a generator, says up to what cost to inline it.

    What Numba would look up at every operation is looked up once.
    """

    def init(self) -> None:
        super().init()
        self.context.get_abi_sizeof = self._size  # this context is the function's own

    def _size(self, typ: Any) -> int:
        """The bytes of a type, for which LLVM reads a module of its own."""
        if typ not in _sizes:
            _sizes[typ] = typ.get_abi_size(self.context.target_data)
        return _sizes[typ]

    def lower_binop(self, result: Any, expression: Any, operator: Any) -> Any:
        if not expression.static_lhs is expression.static_rhs is ir.UNDEFINED:
            return super().lower_binop(result, expression, operator)
        operands = expression.lhs, expression.rhs
        return self._called(operator, operands, self.fndesc.calltypes[expression], result)

    def lower_getitem(self, result: Any, expression: Any, value: Any, index: Any, signature: Any) -> Any:
        return self._called(getitem, (value, index), signature, result)

    def _called(self, function: Any, operands: Any, signature: Any, result: Any) -> Any:
        """The code of a call whose signature is known."""
        typ = self.context.typing_context.resolve_value_type(function)
        known = call_type(typ, self.context.typing_context, signature.args)
        code = self.context.get_function(typ, known)
        args = [self._cast_var(one, wanted) for one, wanted in zip(operands, signature.args, strict=True)]
        return self.context.cast(self.builder, code(self.builder, args), signature.return_type, result)

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


_sizes: dict[Any, int] = {}


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
