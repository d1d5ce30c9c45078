// SPDX-License-Identifier: Apache-2.0
// viewer/src/number.ts - formatting of numbers: digits, prefixes of units, round steps

const PREFIXES: [number, string][] = [
    [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"],
];
const PLAIN = /^(N|J|m|s|Pa|W|N m)$/; // units that take a prefix

/** 0.00123 to "0.00123", 12345 to "12345", 1e-7 to "1e-7": about three significant digits. */
export function short(value: number, digits = 3): string {
    if (!Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    const text = size >= 1e5 || size < 1e-3
        ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
        : value.toPrecision(digits);
    const plain = text.includes("e") ? text : String(Number(text));
    return plain.replace("-", "−");
}

/** Treats rounding errors as zero: no force, energy or length here is that small. */
export function solid(value: number): number {
    return Math.abs(value) < 1e-24 ? 0 : value;
}

/** The prefix that makes numbers up to `most` easy to read: a factor and the unit with it. */
export function prefixed(most: number, unit: string): { factor: number; unit: string } {
    if (!PLAIN.test(unit) || !(most > 0)) return { factor: 1, unit };
    for (const [size, prefix] of PREFIXES) {
        if (most >= size) return { factor: 1 / size, unit: prefix + unit };
    }
    return { factor: 1e9, unit: `n${unit}` };
}

/** A value with its unit. */
export function quantity(value: number, unit: string): string {
    const scale = prefixed(Math.abs(value), unit);
    const shown = short(value * scale.factor);
    return unit === "1" || unit === "" ? shown : `${shown} ${prettyUnit(scale.unit)}`;
}

export function prettyUnit(unit: string): string {
    if (unit === "1") return "";
    return unit.replace("^2", "²").replace("^3", "³");
}

/** Decimals of a clock that advances in steps of this size. */
export function decimalsFor(step: number): number {
    if (!(step > 0)) return 3;
    return Math.min(Math.max(Math.ceil(-Math.log10(step) - 1e-9), 1), 6);
}

/** Labels of ticks in order, with enough digits that neighbours differ. */
export function tickLabels(values: number[]): string[] {
    for (let digits = 3; digits < 15; digits++) {
        const labels = values.map((value) => short(value, digits));
        // rounding must not shift a label: 382.25 and 382.5 are not 382.3 and 382.5
        const step = values.length > 1 ? Math.abs(values[1] - values[0]) : 0;
        const right = labels.every((label, i) => step === 0 ||
            Math.abs(Number(label.replace("−", "-")) - values[i]) < 0.01 * step);
        if (right) return labels;
    }
    return values.map(String);
}

/** Round values from low to high, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
    const span = high - low;
    if (!(span > 0) || !Number.isFinite(span)) return [low];
    const rough = span / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const lead = rough / power;
    const step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
    const out: number[] = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
        out.push(k === 0 ? 0 : k * step);
    }
    return out;
}
