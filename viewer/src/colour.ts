// SPDX-License-Identifier: Apache-2.0
// viewer/src/colour.ts - colours of things and plots, and the maps from values to colours

/** sRGB components from 0 to 1. */
export type Rgb = [number, number, number];

/** A sequence from dark to light, uniform in lightness; the same as in exported pictures. */
const SEQUENTIAL = [0x2d2469, 0x6f2a83, 0xb2397a, 0xe2604f, 0xf59f3c, 0xfaeb8f];
/** For values with a sign: blue, a pale centre, red; both halves are equally dark. */
const DIVERGING = [0x1f4e8c, 0x4f8fc0, 0xa9cbe0, 0xf0ece4, 0xf0b79a, 0xd0694c, 0x8c2432];
const THINGS = [0xd9683c, 0x2f6f8f, 0xe3ab3e, 0x6a9a5b, 0x8a4f7d, 0xc9b79c, 0x3d4a66, 0xb5413b];
const LINES = [0x1b5e9b, 0xd4572a, 0x3c9161, 0x7b4ea0, 0xc8991a, 0x3ba3b8, 0xa93a63, 0x707070];
const LINES_DARK = [0x6fb1ee, 0xf08a5d, 0x6cc793, 0xb58ad8, 0xe5bd55, 0x66cbe0, 0xe07aa0, 0xb0b0b0];
const UNKNOWN: Rgb = [0.565, 0.565, 0.565]; // for values that are not numbers

export const MAP_SIZE = 256;
/** On points of things without the selected quantity: they keep their plain colour. */
export const NO_VALUE = -1e38;

export function rgbOf(hex: number): Rgb {
    return [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
}

export function css(colour: Rgb): string {
    return `rgb(${colour.map((c) => Math.round(255 * c)).join(" ")})`;
}

export function toLinear(s: number): number {
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

/** The perceived lightness of a colour, 0 to 1 (L of Oklab). */
export function lightness(colour: Rgb): number {
    const [r, g, b] = colour.map(toLinear);
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
}

/** The colour of a value from 0 to 1 (clamped). */
export function mapColour(value: number, diverging = false): Rgb {
    if (Number.isNaN(value)) return UNKNOWN;
    const stops = diverging ? DIVERGING : SEQUENTIAL;
    const last = stops.length - 1;
    const at = Math.min(Math.max(value, 0), 1) * last;
    const k = Math.min(Math.floor(at), last - 1);
    const a = rgbOf(stops[k]);
    const b = rgbOf(stops[k + 1]);
    const f = at - k;
    return [a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1]), a[2] + f * (b[2] - a[2])];
}

/** A map as bytes r g b a [MAP_SIZE], for a texture. */
export function mapBytes(diverging: boolean): Uint8Array {
    const bytes = new Uint8Array(4 * MAP_SIZE);
    for (let i = 0; i < MAP_SIZE; i++) {
        const colour = mapColour(i / (MAP_SIZE - 1), diverging);
        for (let c = 0; c < 3; c++) bytes[4 * i + c] = Math.round(255 * colour[c]);
        bytes[4 * i + 3] = 255;
    }
    return bytes;
}

/** A map for CSS: the background of the legend. */
export function mapGradient(diverging: boolean): string {
    const stops = diverging ? DIVERGING : SEQUENTIAL;
    return `linear-gradient(to right, ${stops.map((hex) => css(rgbOf(hex))).join(", ")})`;
}

/** Colours of the things that are drawn through points, numbered over all kinds. */
export function thingColour(i: number): Rgb {
    return rgbOf(THINGS[i % THINGS.length]);
}

export function lineColour(i: number, dark: boolean): string {
    const set = dark ? LINES_DARK : LINES;
    return css(rgbOf(set[i % set.length]));
}

/** The meaning of the colours of a quantity. */
export interface Range {
    low: number;
    high: number;
    diverging: boolean; // low is -high
}

/**
 * A range for values from `low` to `high`. Values of both signs get a symmetric range, so that
 * the pale centre is zero; small negative values among large positive ones are ignored.
 */
export function rangeOf(low: number, high: number): Range {
    if (!(low <= high)) return { low: 0, high: 1, diverging: false };
    const most = Math.max(Math.abs(low), Math.abs(high));
    if (low < -0.25 * most && high > 0) return { low: -most, high: most, diverging: true };
    if (low < 0 && high <= 0 && low < high) return { low: -most, high: most, diverging: true };
    const floor = low > 0 && low < 0.5 * high ? 0 : Math.max(low, 0);
    if (!(high > floor)) return { low: floor, high: floor + (most || 1), diverging: false };
    return { low: floor, high, diverging: false };
}
