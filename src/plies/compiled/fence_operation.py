"""The compiled form of `memory_order.fence`: an LLVM fence, which costs nothing on x86."""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic, overload

from plies.compiled.memory_order import fence


@intrinsic
def _fence(context):
    def build(context, builder, signature, args):
        builder.fence("acq_rel")
        return context.get_dummy_value()

    return types.none(), build


overload(fence)(lambda: lambda: _fence())
