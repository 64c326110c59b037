"""Networks as ONNX, for other programs: the float weights, with both views of the planes as inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from plies.errors import PliesError
from plies.network import Network

OPSET = 17
"""The version of ONNX's operators: of 2022, so that programs of some years ago read it."""

IR_VERSION = 8
"""The version of the file format that came with it."""


def save_onnx(network: Network, path: str | Path) -> None:
    """Write a network as ONNX.

    Its inputs are `own` and `other`, the planes as 0 and 1 in the view of the player to move and of the
    opponent, a row for each position. Its output `value` is from -1, a loss, to 1, a win, of the player to
    move; in whole numbers, as searches compute it, it is slightly different.
    """
    try:
        import onnx
    except ModuleNotFoundError as error:
        if error.name != "onnx":
            raise
        raise PliesError("writing ONNX needs the onnx package: pip install 'plies[onnx]'") from None
    model = _model(network, onnx)
    onnx.checker.check_model(model)
    try:
        Path(path).write_bytes(model.SerializeToString())
    except OSError as error:
        raise PliesError(f"{str(path)!r} cannot be written: {error.strerror}") from None


def _model(network: Network, onnx: Any) -> Any:
    """The graph: two clipped layers, the outputs of all buckets, and the one that counts."""
    helper, real = onnx.helper, onnx.TensorProto.FLOAT
    constants = {
        "inward": network.inward,
        "biases": network.biases,
        "outward": np.ascontiguousarray(network.outward.T),
        "offsets": network.offsets,
        "zero": np.float32(0),
        "one": np.float32(1),
        "half": np.array([network.half], np.float32),
    }
    nodes = [
        step
        for view in ("own", "other")
        for step in (
            helper.make_node("Gemm", [view, "inward", "biases"], [f"{view} sums"]),
            helper.make_node("Clip", [f"{view} sums", "zero", "one"], [f"{view} units"]),
        )
    ]
    nodes += [
        helper.make_node("Concat", ["own units", "other units"], ["units"], axis=1),
        helper.make_node("Gemm", ["units", "outward", "offsets"], ["outputs"]),
    ]
    output = "outputs"
    if len(network.thresholds):
        output = "output"
        constants["axis"] = np.array([1], np.int64)
        constants["thresholds"] = network.thresholds.astype(np.float32)
        nodes += [
            helper.make_node("ReduceSum", ["own", "axis"], ["bits"], keepdims=1),
            helper.make_node("GreaterOrEqual", ["bits", "thresholds"], ["reached"]),
            helper.make_node("Cast", ["reached"], ["steps"], to=onnx.TensorProto.INT64),
            helper.make_node("ReduceSum", ["steps", "axis"], ["bucket"], keepdims=1),
            helper.make_node("GatherElements", ["outputs", "bucket"], [output], axis=1),
        ]
    nodes += [
        helper.make_node("Abs", [output], ["size"]),
        helper.make_node("Add", ["size", "half"], ["whole"]),
        helper.make_node("Div", [output, "whole"], ["value"]),
    ]
    inputs = [
        helper.make_tensor_value_info(view, real, ["positions", len(network.inward)])
        for view in ("own", "other")
    ]
    graph = helper.make_graph(
        nodes,
        "plies",
        inputs,
        [helper.make_tensor_value_info("value", real, ["positions", 1])],
        [onnx.numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
