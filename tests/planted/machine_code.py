"""Machine code without Numba, and what is not compiled: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

LOADER = "tests/test_loader.py"
OPTIONS = "tests/test_switched_off.py"

OF_MACHINE_CODE = [
    plant(
        "compiled/loader.py",
        "load",
        'described["entry"] != entry_name(code) or not',
        "not",
        "tests/test_cache_compiled.py::test_code_for_other_types_is_not_run",
        compiled=True,
    ),
    plant("compiled/loader.py", "can_link", "name in SYSTEM and ", "", LOADER, compiled=True),
    plant("compiled/loader.py", "_block", "array.dtype.str != dtype or ", "", LOADER, compiled=True),
    plant("compiled/loader.py", "_block", " or not array.flags.c_contiguous", "", LOADER, compiled=True),
    plant("compiled/loader.py", "_workspace_writer", " or known[0] is not names", "", LOADER, compiled=True),
    plant("compiled/loader.py", "_block_writer", "shapes != known[1] or ", "", LOADER, compiled=True),
    plant(
        "compiled/loader.py",
        "_block_writer",
        "not all(map(operator.is_, found, known[0]))",
        "not known[0]",
        LOADER,
        compiled=True,
    ),
    plant(
        "compiled/workspace.py",
        "Workspace.__setattr__",
        'if name != "block":',
        "if False:",
        LOADER,
        compiled=True,
    ),
    plant("compiled/loader.py", "_tuple_writer", " or len(arg) != length", "", LOADER, compiled=True),
    plant("compiled/loader.py", "LoadedKernel.__call__", "if status:", "if False:", LOADER, compiled=True),
    plant(
        "compiled/label.py",
        "changed_settings",
        'if not given and "numba" not in sys.modules:',
        "if not given:",
        "tests/test_cache_compiled.py::test_code_compiled_with_other_settings_is_other_code",
        compiled=True,
    ),
    plant(
        "compiled/label.py",
        "from_disk",
        "if files == files_of(game) else None",
        "if files else None",
        "tests/test_cache_compiled.py::test_a_refusal_is_remembered_while_it_is_true",
        compiled=True,
    ),
    plant("compiled/pipeline.py", "_compared", "value.fn(0, ", "not value.fn(0, ", OPTIONS, compiled=True),
    plant("engine/options.py", "switched_off", "own if own <= ", "own if own >= ", OPTIONS),
    plant("engine/options.py", "_off", 'if not value) - {"symmetry"}', "if not value)", OPTIONS),
    plant(
        "compiled/bit_operations.py",
        "_check_chain",
        "builder.add(h, item)",
        "builder.xor(h, item)",
        "tests/test_compiled.py::test_bits_mean_the_same_compiled_and_interpreted",
        compiled=True,
    ),
    plant(
        "compiled/numba_codegen.py",
        "TunedLibrary._all_parts",
        "list(reversed(found))",
        "list(found)",
        "tests/test_engine_chance.py::test_pig_at_any_depth",
        compiled=True,
    ),
]
