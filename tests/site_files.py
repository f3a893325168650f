"""Small files in the formats of licensed terminologies, of invented content: codes and names are facts or made up, nothing is copied."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

IS_A, CAUSE = "116680003", "246075003"
FULL_NAME, SYNONYM = "900000000000003001", "900000000000013009"


def atom(rxcui: int | str, tty: str, name: str, *, source: str = "RXNORM", suppress: str = "N", code: str = "") -> str:
    """A row of RXNCONSO."""
    return f"{rxcui}|ENG||||||{rxcui}1||{rxcui}||{source}|{tty}|{code or rxcui}|{name}||{suppress}||"


def relation(whole: int, name: str, part: int) -> str:
    """A row of RXNREL: the whole (second concept) has the relation to the part (first concept)."""
    return f"{part}||CUI|RO|{whole}||CUI|{name}|9||RXNORM||||N|4096|"


def attribute(rxcui: int, name: str, value: str) -> str:
    """A row of RXNSAT."""
    return f"{rxcui}|||{rxcui}1|AUI|{rxcui}|||{name}|RXNORM|{value}|N||"


RXNCONSO = [
    atom(11289, "IN", "warfarin"),
    atom(11290, "PIN", "warfarin sodium"),
    atom(114194, "PIN", "warfarin sodium"),
    atom(7999001, "IN", "zembramib"),
    atom(7999001, "SY", "zembramibum"),
    atom(7999002, "IN", "quollidine"),
    atom(7999003, "PIN", "quollidine tartrate"),
    atom(7999004, "BN", "Zembra"),
    atom(7999005, "BN", "Doublix"),
    atom(7999010, "SCDC", "zembramib 20 MG"),
    atom(7999011, "SCDC", "quollidine 5 MG"),
    atom(7999012, "SCDC", "warfarin sodium 5 MG"),
    atom(7999020, "SCD", "zembramib 20 MG Oral Tablet"),
    atom(7999021, "SBD", "zembramib 20 MG Oral Tablet [Zembra]"),
    atom(7999022, "SCD", "quollidine 5 MG / zembramib 20 MG Oral Tablet"),
    atom(7999023, "SBD", "quollidine 5 MG / zembramib 20 MG Oral Tablet [Doublix]"),
    atom(7999024, "SBD", "quollidine 5 MG Oral Tablet [Doublix]"),
    atom(7999025, "SCD", "quollidine 5 MG Oral Tablet"),
    atom(7999026, "SCD", "warfarin sodium 5 MG Oral Tablet"),
    atom(7999027, "SCD", "quollidine 5 MG / zembramib 40 MG Oral Tablet"),
    atom(7999030, "MIN", "quollidine / zembramib"),
    atom(7999040, "GPCK", "{5 (quollidine 5 MG Oral Tablet) / 2 (inert ingredients 1 MG Oral Tablet) } Pack"),
    atom(7999041, "SCD", "inert ingredients 1 MG Oral Tablet"),
    atom(7999042, "SCDC", "inert ingredients 1 MG"),
    atom(7999043, "IN", "inert ingredients"),
    atom(7999050, "DF", "Oral Tablet"),
    atom(7999060, "SCD", "zembramib 10 MG Oral Tablet", suppress="O"),
    atom(7999061, "SCD", "zembramib 10 MG Oral Tablet", source="MMSL"),
]
RXNREL = [
    relation(114194, "form_of", 11289),
    relation(7999003, "form_of", 7999002),
    relation(7999010, "has_ingredient", 7999001),
    relation(7999011, "has_ingredient", 7999002),
    relation(7999011, "has_precise_ingredient", 7999003),
    relation(7999012, "has_ingredient", 11289),
    *(
        relation(scd, "consists_of", part)
        for scd, part in ((7999020, 7999010), (7999021, 7999010), (7999022, 7999010), (7999022, 7999011), (7999023, 7999010), (7999023, 7999011))
    ),
    *(relation(scd, "consists_of", part) for scd, part in ((7999024, 7999011), (7999025, 7999011), (7999026, 7999012), (7999027, 7999011), (7999041, 7999042))),
    relation(7999042, "has_ingredient", 7999043),
    relation(7999060, "consists_of", 7999010),
    relation(7999061, "consists_of", 7999010),
    relation(7999021, "tradename_of", 7999020),
    relation(7999021, "has_ingredient", 7999004),
    relation(7999023, "has_ingredient", 7999005),
    relation(7999024, "has_ingredient", 7999005),
    relation(7999030, "has_part", 7999001),
    relation(7999030, "has_part", 7999002),
    relation(7999040, "contains", 7999025),
    relation(7999040, "contains", 7999041),
    *(relation(drug, "has_dose_form", 7999050) for drug in (7999020, 7999021, 7999022, 7999023, 7999024, 7999025, 7999026, 7999041)),
]
RXNSAT = [attribute(7999026, "NDC", "99999000101"), attribute(7999022, "RXN_AVAILABLE_STRENGTH", "5 MG / 20 MG")]
RXNCUI = ["7999009|2020AA|2021AA|1|7999020|", "7999008|2020AA|2021AA|2|7999020|", "7999008|2020AA|2021AA|2|7999022|"]


def write_rxnorm(folder: Path, *, conso: Iterable[str] = RXNCONSO, rel: Iterable[str] = RXNREL, zipped: bool = False) -> Path:
    """An RxNorm release."""
    files = {"RXNCONSO.RRF": conso, "RXNREL.RRF": rel, "RXNSAT.RRF": RXNSAT, "RXNCUI.RRF": RXNCUI}
    if zipped:
        path = folder / "RxNorm_full_11022026.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, rows in files.items():
                archive.writestr(f"rrf/{name}", "".join(f"{row}\n" for row in rows))
        return path
    rrf = folder / "rrf"
    rrf.mkdir()
    for name, rows in files.items():
        (rrf / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return rrf


NDC_HEADER = (
    "PRODUCTID\tPRODUCTNDC\tPRODUCTTYPENAME\tPROPRIETARYNAME\tNONPROPRIETARYNAME\tDOSAGEFORMNAME\tROUTENAME\tSUBSTANCENAME\t"
    "ACTIVE_NUMERATOR_STRENGTH\tACTIVE_INGRED_UNIT\tNDC_EXCLUDE_FLAG"
)


def ndc_row(
    code: str, brand: str, substances: str, *, form: str = "TABLET", route: str = "ORAL", strength: str = "5", unit: str = "mg/1", flag: str = "N"
) -> str:
    """A row of the NDC directory's product file."""
    return f"{code}_1\t{code}\tHUMAN PRESCRIPTION DRUG\t{brand}\t{substances.lower()}\t{form}\t{route}\t{substances}\t{strength}\t{unit}\t{flag}"


def write_ndc(folder: Path, rows: Iterable[str], encoding: str = "cp1252") -> Path:
    """A product file."""
    path = folder / "product.txt"
    path.write_bytes("".join(f"{row}\r\n" for row in (NDC_HEADER, *rows)).encode(encoding))
    return path


def concept(code: int | str, active: str = "1") -> str:
    """A row of the concept file."""
    return f"{code}\t20260101\t{active}\t900000000000207008\t900000000000074008"


def description(code: int, text: str, kind: str = SYNONYM, active: str = "1") -> str:
    """A row of the description file."""
    return f"{code}019\t20260101\t{active}\t900000000000207008\t{code}\ten\t{kind}\t{text}\t900000000000448009"


def edge(source: int, kind: str, target: int, active: str = "1") -> str:
    """A row of the relationship file."""
    return f"{source}029\t20260101\t{active}\t900000000000207008\t{source}\t{target}\t0\t{kind}\t900000000000011006\t900000000000451002"


def write_snomed(folder: Path, concepts: Iterable[str], descriptions: Iterable[str], edges: Iterable[str]) -> Path:
    """An RF2 release with a snapshot."""
    inside = folder / "SnomedCT_Test" / "Snapshot" / "Terminology"
    inside.mkdir(parents=True)
    tables = {
        "Concept_Snapshot_INT": ("id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId", concepts),
        "Description_Snapshot-en_INT": ("id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm\tcaseSignificanceId", descriptions),
        "Relationship_Snapshot_INT": (
            "id\teffectiveTime\tactive\tmoduleId\tsourceId\tdestinationId\trelationshipGroup\ttypeId\tcharacteristicTypeId\tmodifierId",
            edges,
        ),
    }
    for name, (header, rows) in tables.items():
        (inside / f"sct2_{name}_20260101.txt").write_text("".join(f"{row}\n" for row in (header, *rows)), encoding="utf-8")
    return folder / "SnomedCT_Test"
