import pytest

from ontology.text.roles import find_roles


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("strong or moderate CYP3A inhibitors", ["strong CYP3A inhibitor", "moderate CYP3A inhibitor"]),
        ("inhibitors of CYP3A4 and P-gp", ["CYP3A4 inhibitor", "P-gp inhibitor"]),
        (
            "CYP2C9, 1A2, and/or 3A4 inhibitor or inducer",
            ["CYP2C9 inhibitor", "CYP2C9 inducer", "CYP1A2 inhibitor", "CYP1A2 inducer", "CYP3A4 inhibitor", "CYP3A4 inducer"],
        ),
        ("drugs that inhibit CYP2D6", ["CYP2D6 inhibitor"]),
        ("drugs that are primarily cleared by CYP2C8", ["CYP2C8 substrate"]),
        ("potent inhibitors of CYP3A4", ["strong CYP3A4 inhibitor"]),
        ("moderate CYP2C9 or strong CYP3A4 inhibitors", ["moderate CYP2C9 inhibitor", "strong CYP3A4 inhibitor"]),
        ("strong cytochrome P450 3A4 (CYP3A4) inhibitors", ["strong CYP3A4 inhibitor"]),
        ("P-glycoprotein (P-gp) transporter substrates", ["P-gp substrate"]),
        ("OATP1B1/1B3 substrates", ["OATP1B1 substrate", "OATP1B3 substrate"]),
        ("weak-to-moderate CYP3A inhibitors", ["weak CYP3A inhibitor", "moderate CYP3A inhibitor"]),
        ("OATP1B1/B3 inhibitors", ["OATP1B1 inhibitor", "OATP1B3 inhibitor"]),
        ("a dual CYP2C9/3A4 inhibitor", ["CYP2C9 inhibitor", "CYP3A4 inhibitor"]),
        ("OCT2/MATE inhibitors", ["OCT2 inhibitor", "MATE inhibitor"]),
        ("inhibitors of OCT2 and of MATEs", ["OCT2 inhibitor", "MATE inhibitor"]),
        ("substrates of OCT2 and MATE1/2-K", ["OCT2 substrate", "MATE1 substrate", "MATE2-K substrate"]),
        ("an inducer of CYP2C8 and UGT 1A3 and 2B7", ["CYP2C8 inducer", "UGT1A3 inducer", "UGT2B7 inducer"]),
        ("drugs metabolized by CYP2C8/2 to a small part", ["CYP2C8 substrate"]),
        ("CYP3A4 is an enzyme", []),
    ],
)
def test_roles_are_spelled_out(text, expected):
    assert [r.name for m in find_roles(text) for r in m.roles] == expected


def test_combined_roles_are_of_one_drug():
    assert find_roles("combined P-gp and strong CYP3A inducers")[0].joint
    assert not find_roles("P-gp and CYP3A inducers")[0].joint
