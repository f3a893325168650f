"""The formulas of renal function, from numbers to numbers; their constants stand in the data file with their sources."""

from __future__ import annotations

from decimal import Decimal

from cds_service.audit.clinical import sections, setting

_ONE = Decimal(1)


def cockcroft_gault(*, years: int, kg: Decimal, creatinine_mg_dl: Decimal, female: bool) -> Decimal:
    """Creatinine clearance of an adult in mL/min (Cockcroft and Gault 1976); `years` are completed years."""
    row = setting("renal", "clearance")
    rate = (Decimal(row["years"]) - years) * kg / (Decimal(row["divisor"]) * creatinine_mg_dl)
    return rate * Decimal(row["female"]) if female else rate


def ckd_epi_2021(*, years: int, creatinine_mg_dl: Decimal, female: bool) -> Decimal:
    """Filtration rate (eGFR) of an adult in mL/min/1.73 m2 (CKD-EPI 2021, creatinine, without race); `years` are completed years."""
    row = setting("renal", "filtration")
    who = "female" if female else "male"
    ratio = creatinine_mg_dl / Decimal(row[f"k_{who}"])
    rate = Decimal(row["constant"]) * min(ratio, _ONE) ** Decimal(row[f"a_{who}"]) * max(ratio, _ONE) ** Decimal(row["above"]) * Decimal(row["a_year"]) ** years
    return rate * Decimal(row["female"]) if female else rate


def schwartz(*, years: Decimal, height_cm: Decimal, creatinine_mg_dl: Decimal) -> tuple[Decimal, bool] | None:
    """Filtration rate (eGFR) of a child in mL/min/1.73 m2 and whether the formula is the bedside one (2009); None for adults."""
    row = next((r for r in sections()["schwartz"] if years < r["below_years"]), None)
    return (Decimal(row["k"]) * height_cm / creatinine_mg_dl, bool(row["certain"])) if row else None


def pottel(*, years: Decimal, creatinine_mg_dl: Decimal) -> Decimal | None:
    """Filtration rate (eGFR) of a child in mL/min/1.73 m2 without the height (Pottel 2012); None below the age it was made for."""
    row = sections()["pottel"]
    if years < row["from_years"]:
        return None
    return Decimal(row["normal"]) * (Decimal(row["base"]) + Decimal(row["a_year"]) * years) / creatinine_mg_dl
