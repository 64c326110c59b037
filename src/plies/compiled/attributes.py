"""The attributes of games and workspaces in kernels, as types and code of Numba's: one table for each type.

Numba's own way is a function for every attribute, compiled like any other, and a search through all of them
at every access. That took a quarter of a kernel's compile time.
"""

from __future__ import annotations

from typing import Any, Protocol

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import lower_builtin

from plies.compiled.call_types import call_type
from plies.compiled.numba_internals import (
    AbstractTemplate,
    AttributeTemplate,
    cgutils,
    infer_getattr,
    lower_getattr_generic,
    populate_array,
    signature,
)

WORD = ir.IntType(64)
"""An address or a length."""


class Attribute(Protocol):
    """An attribute of a type."""

    def type_on(self, context: Any, holder: Any) -> Any:
        """Its type; `holder` is the type that has the attribute."""

    def read(self, context: Any, builder: Any, value: Any) -> Any:
        """The code that reads it of a value."""


def register_attributes(cls: type, attributes: dict[str, Attribute]) -> None:
    """Register the attributes of a type, so that kernels can read them."""

    @infer_getattr
    class Attributes(AttributeTemplate):
        key = cls

        def generic_resolve(self, typ, attr):
            return attributes[attr].type_on(self.context, typ) if attr in attributes else None

    @lower_getattr_generic(cls)
    def read(context, builder, typ, value, attr):
        return attributes[attr].read(context, builder, value)


class Constant:
    """A number that is the same for all values of the type."""

    def __init__(self, value: bool | float) -> None:
        self.value = value

    def type_on(self, context: Any, holder: Any) -> Any:
        return types.unliteral(context.resolve_value_type(self.value))

    def read(self, context: Any, builder: Any, value: Any) -> Any:
        typ = types.unliteral(context.typing_context.resolve_value_type(self.value))
        return context.get_constant_generic(builder, typ, self.value)


class Unreadable:
    """An attribute that cannot be read, and why."""

    def __init__(self, words: str) -> None:
        self.words = words

    def type_on(self, context: Any, holder: Any) -> Any:
        raise TypingError(self.words)

    def read(self, context: Any, builder: Any, value: Any) -> Any:
        raise TypingError(self.words)


class Array:
    """An array, whose address and shape are at a place of the list behind the value."""

    def __init__(self, typ: Any, place: int) -> None:
        self.typ = typ
        self.place = place

    def type_on(self, context: Any, holder: Any) -> Any:
        return self.typ

    def read(self, context: Any, builder: Any, value: Any) -> Any:
        return filled_array(context, builder, self.typ, builder.bitcast(value, WORD.as_pointer()), self.place)


def filled_array(context: Any, builder: Any, typ: Any, block: Any, place: int) -> Any:
    """An array whose address and shape are at a place of a block of words."""
    array = context.make_array(typ)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(typ.dtype))
    words = [builder.load(builder.gep(block, [ir.Constant(WORD, place + i)])) for i in range(1 + typ.ndim)]
    strides = [ir.Constant(WORD, size)]
    for length in reversed(words[2:]):
        strides.insert(0, builder.mul(strides[0], length))
    populate_array(
        array,
        data=builder.inttoptr(words[0], array.data.type),
        shape=words[1:],
        strides=strides,
        itemsize=ir.Constant(WORD, size),
        meminfo=None,
    )
    return array._getvalue()


class NestedGame:
    """A nested game, whose own list begins at a place of the outer game's."""

    def __init__(self, typ: Any, place: int, words: int) -> None:
        self.typ = typ
        self.place = place
        self.words = words

    def type_on(self, context: Any, holder: Any) -> Any:
        return self.typ

    def read(self, context: Any, builder: Any, value: Any) -> Any:
        if self.words == 0:
            return cgutils.create_struct_proxy(self.typ)(context, builder)._getvalue()
        block = builder.bitcast(value, ir.PointerType(WORD))
        return builder.bitcast(builder.gep(block, [ir.Constant(WORD, self.place)]), cgutils.voidptr_t)


class Method:
    """A compiled function that is called with the value first or, if it is static, without it."""

    def __init__(self, cls: type, name: str, function: Any, static: bool = False) -> None:
        self.function = function  # `called` does not keep it
        called = types.Dispatcher(function)
        method = self

        class Template(AbstractTemplate):
            key = f"{cls.__name__}.{name}"
            this: Any

            def generic(self, args, kws):
                plain = [types.unliteral(arg) for arg in (args if static else (self.this, *args))]
                found = (
                    called.get_call_type(self.context, tuple(plain), kws)
                    if kws
                    else call_type(called, self.context, tuple(plain))
                )
                bound = found.replace(recvr=self.this) if static else found.as_method()
                return bound.replace(return_type=method.returned(self.this, found.return_type))

        @lower_builtin(Template.key, cls, types.VarArg(types.Any))
        def call(context, builder, signature, args):
            given = signature.args[1:] if static else signature.args
            whole = call_type(called, context.typing_context, tuple(given))
            code = context.get_function(called, whole)
            context.add_linking_libs(getattr(code, "libs", ()))
            value = code(builder, args[1:] if static else args)
            return method.converted(context, builder, value, whole.return_type, signature.return_type)

        self.template = Template

    def type_on(self, context: Any, holder: Any) -> Any:
        return types.BoundFunction(self.template, holder)

    def read(self, context: Any, builder: Any, value: Any) -> Any:
        raise AssertionError("a method is called")  # Numba binds it without asking

    def returned(self, holder: Any, given: Any) -> Any:
        """The type that a caller gets, by the type that the function returns."""
        return given

    def converted(self, context: Any, builder: Any, value: Any, given: Any, wanted: Any) -> Any:
        """The function's result, converted to the type that a caller gets."""
        return value


class HasMethod:
    """A method that returns whether a name, a literal in the call, is among some names."""

    def __init__(self, cls: type, name: str, names: frozenset[str]) -> None:
        class Template(AbstractTemplate):
            key = f"{cls.__name__}.{name}"
            prefer_literal = True
            this: Any

            def generic(self, args, kws):
                asked = args[0] if len(args) == 1 else None
                return (
                    signature(types.boolean, asked, recvr=self.this)
                    if isinstance(asked, types.StringLiteral)
                    else None
                )

        @lower_builtin(Template.key, cls, types.StringLiteral)
        def answer(context, builder, signature, args):
            return context.get_constant(types.boolean, signature.args[1].literal_value in names)

        self.template = Template

    def type_on(self, context: Any, holder: Any) -> Any:
        return types.BoundFunction(self.template, holder)

    def read(self, context: Any, builder: Any, value: Any) -> Any:
        raise AssertionError("a method is called")
