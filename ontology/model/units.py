"""The closed unit table: code, dimension, factor to the dimension's reference unit.

Codes follow UCUM where UCUM has one. `egfr` and `crcl` are kept apart as dimensions, because `mL/min/{1.73_m2}` and `mL/min`
are not the same quantity although a general unit library treats them so.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple


class UnitRow(NamedTuple):
    """Dimension and factor to that dimension's reference unit (the unit with factor 1)."""

    dimension: str
    factor: Decimal


def _row(dimension: str, factor: str = "1") -> UnitRow:
    return UnitRow(dimension, Decimal(factor))


UNITS: dict[str, UnitRow] = {
    # mass (reference mg)
    "kg": _row("mass", "1000000"),
    "g": _row("mass", "1000"),
    "mg": _row("mass"),
    "ug": _row("mass", "0.001"),
    "ng": _row("mass", "0.000001"),
    "[lb_av]": _row("mass", "453592.37"),
    # length (cm), volume (mL), area (m2)
    "m": _row("length", "100"),
    "cm": _row("length"),
    "mm": _row("length", "0.1"),
    "[in_i]": _row("length", "2.54"),
    "L": _row("volume", "1000"),
    "dL": _row("volume", "100"),
    "mL": _row("volume"),
    "m2": _row("area"),
    # biological activity and amount of substance: each its own dimension
    "[USP'U]": _row("activity"),
    "meq": _row("equivalents"),
    "mmol": _row("substance"),
    "umol": _row("substance", "0.001"),
    # radioactivity (reference MBq)
    "MBq": _row("radioactivity"),
    "GBq": _row("radioactivity", "1000"),
    "mCi": _row("radioactivity", "37"),
    # counted dose forms: do not convert into one another
    "{tbl}": _row("tablet"),
    "{capsule}": _row("capsule"),
    "{puff}": _row("puff"),
    "{patch}": _row("patch"),
    "[drp]": _row("drop"),
    "{pill}": _row("pill"),
    "{suppository}": _row("suppository"),
    "{dose}": _row("dose"),
    "{bag}": _row("bag"),
    "{spray}": _row("spray"),
    "{application}": _row("application"),
    "{vial}": _row("vial"),
    "{packet}": _row("packet"),
    "{lozenge}": _row("lozenge"),
    # time (reference d)
    "min": _row("time", "0.000694444444444444444444444444"),
    "h": _row("time", "0.0416666666666666666666666667"),
    "d": _row("time"),
    "wk": _row("time", "7"),
    "mo": _row("time", "30.4375"),
    "a": _row("time", "365.25"),
    # renal function
    "mL/min": _row("crcl"),
    "mL/min/{1.73_m2}": _row("egfr"),
    # concentration
    "mg/mL": _row("mass-concentration", "100"),
    "mg/dL": _row("mass-concentration"),
    "g/dL": _row("mass-concentration", "1000"),
    "g/L": _row("mass-concentration", "100"),
    "mg/L": _row("mass-concentration", "0.1"),
    "ug/mL": _row("mass-concentration", "0.1"),
    "ug/dL": _row("mass-concentration", "0.001"),
    "ng/mL": _row("mass-concentration", "0.0001"),
    "ug/L": _row("mass-concentration", "0.0001"),
    "ng/dL": _row("mass-concentration", "0.000001"),
    "pg/mL": _row("mass-concentration", "0.0000001"),
    "ng/L": _row("mass-concentration", "0.0000001"),
    "mmol/L": _row("substance-concentration"),
    "umol/L": _row("substance-concentration", "0.001"),
    "nmol/L": _row("substance-concentration", "0.000001"),
    "pmol/L": _row("substance-concentration", "0.000000001"),
    "meq/L": _row("equivalent-concentration"),
    "U/L": _row("catalytic-concentration"),
    "U/mL": _row("catalytic-concentration", "1000"),
    # international units of a hormone, a drug or a virus; laboratories write [IU] and U for one another
    "[IU]/mL": _row("catalytic-concentration", "1000"),
    "m[IU]/mL": _row("catalytic-concentration"),
    "m[IU]/L": _row("catalytic-concentration", "0.001"),
    "u[IU]/mL": _row("catalytic-concentration", "0.001"),
    "10*3/uL": _row("number-concentration"),
    "10*9/L": _row("number-concentration"),
    "/uL": _row("number-concentration", "0.001"),
    "10*6/uL": _row("number-concentration", "1000"),
    "10*12/L": _row("number-concentration", "1000"),
    "{copies}/mL": _row("copies-concentration"),
    # others
    "{ULN}": _row("times-upper-limit"),
    "{LLN}": _row("times-lower-limit"),
    "%": _row("fraction", "0.01"),
    "L/L": _row("fraction"),
    "1": _row("number"),
    "{INR}": _row("inr"),
    "ms": _row("interval"),
    "s": _row("interval", "1000"),
    "kg/m2": _row("bmi"),
    "mm[Hg]": _row("pressure"),
    "kPa": _row("pressure", "7.50061682704169751"),
    "[pH]": _row("ph"),
    "mosm/kg": _row("osmolality"),
    "mmol/kg": _row("osmolality"),
    "mm/h": _row("sedimentation"),
    "fL": _row("cell-volume"),
    "mg/g": _row("mass-ratio"),
    "U/g": _row("activity-ratio"),
    "Cel": _row("temperature"),
    "/min": _row("rate"),
}

ALIASES: dict[str, str] = {
    "milligram": "mg", "milligrams": "mg", "毫克": "mg", "gram": "g", "grams": "g", "gm": "g", "克": "g",
    "mcg": "ug", "µg": "ug", "μg": "ug", "microgram": "ug", "micrograms": "ug", "微克": "ug", "纳克": "ng", "kilogram": "kg", "kilograms": "kg", "公斤": "kg", "千克": "kg",
    "lb": "[lb_av]", "lbs": "[lb_av]", "pound": "[lb_av]", "pounds": "[lb_av]", "in": "[in_i]", "inch": "[in_i]", "inches": "[in_i]",
    "ml": "mL", "cc": "mL", "毫升": "mL", "milliliter": "mL", "milliliters": "mL", "l": "L", "liter": "L", "liters": "L", "dl": "dL", "m^2": "m2", "m²": "m2", "sqm": "m2",
    "unit": "[USP'U]", "units": "[USP'U]", "iu": "[USP'U]", "[iu]": "[USP'U]", "u": "[USP'U]", "usp units": "[USP'U]", "[usp'u]": "[USP'U]", "单位": "[USP'U]", "国际单位": "[USP'U]",
    "mbq": "MBq", "gbq": "GBq", "mci": "mCi", "mEq": "meq", "milliequivalent": "meq", "milliequivalents": "meq",
    "tablet": "{tbl}", "tablets": "{tbl}", "tab": "{tbl}", "tabs": "{tbl}", "tbl": "{tbl}", "{tablet}": "{tbl}", "{tablets}": "{tbl}", "片": "{tbl}",
    "capsule": "{capsule}", "capsules": "{capsule}", "cap": "{capsule}", "caps": "{capsule}", "粒": "{capsule}",
    "puff": "{puff}", "puffs": "{puff}", "actuation": "{puff}", "actuations": "{puff}", "inhalation": "{puff}", "inhalations": "{puff}", "喷": "{puff}",
    "patch": "{patch}", "patches": "{patch}", "drop": "[drp]", "drops": "[drp]", "滴": "[drp]", "pill": "{pill}", "pills": "{pill}", "dose": "{dose}", "doses": "{dose}",
    "spray": "{spray}", "sprays": "{spray}", "application": "{application}", "applications": "{application}", "vial": "{vial}", "vials": "{vial}",
    "packet": "{packet}", "packets": "{packet}", "sachet": "{packet}", "sachets": "{packet}", "lozenge": "{lozenge}", "lozenges": "{lozenge}", "troche": "{lozenge}",
    "袋": "{bag}", "suppository": "{suppository}", "suppositories": "{suppository}",
    "minute": "min", "minutes": "min", "分钟": "min", "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "小时": "h",
    "day": "d", "days": "d", "天": "d", "日": "d", "week": "wk", "weeks": "wk", "周": "wk",
    "month": "mo", "months": "mo", "个月": "mo", "月": "mo", "year": "a", "years": "a", "yr": "a", "岁": "a", "年": "a",
    "ml/min": "mL/min", "ml/min/1.73m2": "mL/min/{1.73_m2}", "ml/min/{1.73_m2}": "mL/min/{1.73_m2}", "ml/min/1.73m²": "mL/min/{1.73_m2}", "ml/min/1.73m^2": "mL/min/{1.73_m2}",
    "mg/dl": "mg/dL", "g/dl": "g/dL", "mcg/ml": "ug/mL", "ug/ml": "ug/mL", "µg/ml": "ug/mL", "mcg/dl": "ug/dL", "mg/l": "mg/L", "ng/ml": "ng/mL",
    "mg/ml": "mg/mL", "ug/l": "ug/L", "mcg/l": "ug/L", "µg/l": "ug/L", "μg/l": "ug/L", "μg/ml": "ug/mL", "µg/dl": "ug/dL", "μg/dl": "ug/dL", "ug/dl": "ug/dL",
    "ng/dl": "ng/dL", "pg/ml": "pg/mL", "ng/l": "ng/L", "nmol/l": "nmol/L", "pmol/l": "pmol/L", "g/l": "g/L", "u/ml": "U/mL", "iu/ml": "[IU]/mL", "[iu]/ml": "[IU]/mL",
    "miu/ml": "m[IU]/mL", "mu/ml": "m[IU]/mL", "miu/l": "m[IU]/L", "mu/l": "m[IU]/L", "m[iu]/l": "m[IU]/L", "uiu/ml": "u[IU]/mL", "µiu/ml": "u[IU]/mL", "μiu/ml": "u[IU]/mL",
    "uu/ml": "u[IU]/mL", "10*6/ul": "10*6/uL", "10^6/ul": "10*6/uL", "m/ul": "10*6/uL", "10*12/l": "10*12/L", "10^12/l": "10*12/L", "{cells}/ul": "/uL",
    "10*3/mm3": "10*3/uL", "copies/ml": "{copies}/mL", "l/l": "L/L", "sec": "s", "seconds": "s", "second": "s", "秒": "s", "kpa": "kPa", "mosm/kg": "mosm/kg", "mm/hr": "mm/h",
    "fl": "fL", "celsius": "Cel", "°c": "Cel", "℃": "Cel", "cel": "Cel", "degc": "Cel", "u/g{hb}": "U/g", "u/ghb": "U/g",
    "mmol/l": "mmol/L", "umol/l": "umol/L", "µmol/l": "umol/L", "μmol/l": "umol/L", "meq/l": "meq/L", "mEq/L": "meq/L", "u/l": "U/L", "iu/l": "U/L", "[iu]/l": "U/L",
    "k/ul": "10*3/uL", "10*3/ul": "10*3/uL", "10^3/ul": "10*3/uL", "10*9/l": "10*9/L", "10^9/l": "10*9/L", "cells/ul": "/uL", "/ul": "/uL", "/mm3": "/uL", "cells/mm3": "/uL",
    "k/μl": "10*3/uL", "10*3/μl": "10*3/uL", "10^3/μl": "10*3/uL", "10³/μl": "10*3/uL", "10³/ul": "10*3/uL", "x10^3/μl": "10*3/uL", "x10^3/ul": "10*3/uL",
    "x10*3/ul": "10*3/uL", "10e3/ul": "10*3/uL", "x10e3/ul": "10*3/uL", "thou/ul": "10*3/uL", "thousand/ul": "10*3/uL", "k/mm3": "10*3/uL", "10^3/mm3": "10*3/uL",
    "10^3/mm^3": "10*3/uL", "10³/mm³": "10*3/uL", "k/cumm": "10*3/uL", "x10^9/l": "10*9/L", "x10*9/l": "10*9/L", "x10e9/l": "10*9/L", "10e9/l": "10*9/L",
    "10**9/l": "10*9/L", "10⁹/l": "10*9/L", "x10⁹/l": "10*9/L", "cells/μl": "/uL", "/μl": "/uL", "/mm^3": "/uL", "/mm³": "/uL", "cells/mm^3": "/uL", "cells/mm³": "/uL",
    "/cumm": "/uL", "10*6/l": "/uL", "10^6/l": "/uL", "gm/dl": "g/dL", "mcmol/l": "umol/L", "micromol/l": "umol/L", "ratio": "1", "{ratio}": "1", "beats/min": "/min",
    "{beats}/min": "/min", "{heartbeats}/min": "/min", "beats/minute": "/min", "[in_us]": "[in_i]", "millisecond": "ms", "milliseconds": "ms",
    "ml/min/1.73sqm": "mL/min/{1.73_m2}", "ml/min/1.73": "mL/min/{1.73_m2}", "ml/min/{1.73m2}": "mL/min/{1.73_m2}", "mm[hg]": "mm[Hg]", "×uln": "{ULN}", "xuln": "{ULN}",
    "percent": "%", "{inr}": "{INR}", "inr": "{INR}", "msec": "ms", "mmhg": "mm[Hg]", "bpm": "/min",
}  # fmt: skip
