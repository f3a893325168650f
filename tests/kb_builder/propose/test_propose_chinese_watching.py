"""Monitoring and prerequisites in Chinese inserts."""

from __future__ import annotations

import pytest

from kb_builder.propose.watching.monitoring import MonitoringProposer
from kb_builder.propose.watching.prerequisites import PrerequisiteProposer
from ontology.model.guards import HasCondition, leaves


def said(proposer, label):
    return [p.claim for p in proposer.propose(label.document, label.subject, label.lexicon)]


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("长期服用本品应定期检查血常规、肝肾功能。", {"血常规", "肝功能", "肾功能"}),
        ("用药期间应监测血压和心电图的变化。", {"血压", "心电图"}),
        ("血钾应定期监测。", {"血钾"}),
        ("治疗过程中须密切监测肝、肾功能及血药浓度。", {"肝功能", "肾功能", "血药浓度"}),
    ],
)
def test_what_is_to_be_measured_during_treatment(label, text, things):
    assert {c.words for c in said(MonitoringProposer(), label(text, "precautions"))} == things


@pytest.mark.parametrize(
    "text",
    ["与华法林合用时应监测血压。", "如出现皮疹应检查血常规。", "本品无需监测血药浓度。", "应观察疗效。", "用药前应检查肝功能。"],
)
def test_no_monitoring_for_partners_reactions_denials_and_what_comes_first(label, text):
    assert said(MonitoringProposer(), label(text, "precautions")) == []


def test_what_comes_before_the_first_dose_is_a_prerequisite(label):
    (found,) = said(PrerequisiteProposer(), label("用药前应检查肝功能。", "precautions"))
    assert (found.words, found.payload.steps[0].parameter) == ("肝功能", "用药前")


def test_the_patients_named_are_in_the_guard(label):
    (found,) = said(MonitoringProposer(), label("高血压患者应定期监测血钾。", "precautions"))
    assert [type(leaf) for leaf in leaves(found.guard)] == [HasCondition]


def test_all_patients_are_no_condition(label):
    (found,) = said(MonitoringProposer(), label("所有患者应定期监测血钾。", "precautions"))
    assert found.guard is None


@pytest.mark.parametrize(("text", "restricted"), [("疗程较长时应检查血常规。", True), ("用药时应检查血常规。", False), ("治疗期间应检查血常规。", False)])
def test_circumstances_stay_in_the_guard_and_mere_use_does_not(label, text, restricted):
    (found,) = said(MonitoringProposer(), label(text, "precautions"))
    assert (found.guard is not None) is restricted


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("用药前须做皮试。", "皮试"),
        ("用药前须详细询问药物过敏史，并按规定作青霉素皮肤试验。", "青霉素皮肤试验"),
        ("使用本品前必须先进行青霉素皮内试验，阳性反应者禁用。", "青霉素皮内试验"),
    ],
)
def test_a_skin_test_comes_before_the_first_dose(label, text, test):
    (found,) = said(PrerequisiteProposer(), label(text, "precautions"))
    assert found.words == test
