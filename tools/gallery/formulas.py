# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/formulas.py - the numbered formulas of the theory, written in plain text, as typeset HTML.

Names of Greek letters become letters, `_` and `^` lower and raise what follows, one-letter names are
italic, and comparisons, arrows and roots get their signs. Words stay as they are. The input is escaped
HTML; spaces are kept.
"""

from __future__ import annotations

import re

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip
SIGNS = (
    ("(x)", "⊗"), ("&lt;=", "≤"), ("&gt;=", "≥"), ("!=", "≠"), ("-&gt;", "→"), ("+-", "±"), (" . ", " · "),
    (" x ", " × "), ("sqrt(", "√("), ("sum ", "Σ "), ("integral ", "∫ "), (" - ", " − "),
)  # fmt: skip
TOKEN = re.compile(r"&\w+;|<[^>]*>|[A-Za-z]+\d*|[_^]|.", re.S)
LOWER = re.compile(r"_(\{[^{}]*\}|[A-Za-z0-9]+)")
RAISED = re.compile(r"\^(\([^()]*\)|\{[^{}]*\}|-?[A-Za-z0-9]+)")


def name(token: str) -> str:
    """One word of a formula."""
    if match := re.fullmatch(r"([A-Za-z]+?)(\d*)", token):
        word, number = match[1], match[2]
        letter = GREEK.get(word, word)
        if len(letter) == 1:
            low = f"<sub>{number}</sub>" if number else ""
            return f"<var>{letter}</var>{low}"
    return token


def is_prose(text: str) -> bool:
    """Whether a piece between wide spaces is a remark: three words of three letters and more."""
    return len(re.findall(r"\b[a-z]{3,}\b", re.sub(r"\([^)]*\)", "", text))) >= 3 and "=" not in text


def expression(text: str) -> str:
    for plain, sign in SIGNS:
        text = text.replace(plain, sign)

    def script(tag: str, inner: str) -> str:
        inner = inner.strip("{}")
        return f"<{tag}>" + "".join(name(token) for token in TOKEN.findall(inner)) + f"</{tag}>"

    pieces = re.split(r"(_(?:\{[^{}]*\}|[A-Za-z0-9]+)|\^(?:\([^()]*\)|\{[^{}]*\}|-?[A-Za-z0-9]+))", text)
    out = []
    for piece in pieces:
        if match := LOWER.fullmatch(piece):
            out.append(script("sub", match[1]))
        elif match := RAISED.fullmatch(piece):
            out.append(script("sup", match[1]))
        else:
            out.append("".join(name(token) for token in TOKEN.findall(piece)))
    return "".join(out)


def typeset(line: str) -> str:
    """One line of a block with numbered formulas, escaped, without its number."""
    parts = re.split(r"( {2,})", line)
    return "".join(part if part.isspace() or is_prose(part) else expression(part) for part in parts)
