// SPDX-License-Identifier: Apache-2.0
// viewer/src/storage.ts - settings that a browser keeps; a page opened from a file may have no storage

export function kept(key: string): string | null {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

export function keep(key: string, value: string): void {
    try {
        localStorage.setItem(key, value);
    } catch {
        // without storage, the setting is not kept
    }
}

/** Until the next load of this page in this tab; taken once. */
export function handOver(key: string, value: string): void {
    try {
        sessionStorage.setItem(key, value);
    } catch {
        // the page starts as new
    }
}

export function takeOver(key: string): string | null {
    try {
        const value = sessionStorage.getItem(key);
        sessionStorage.removeItem(key);
        return value;
    } catch {
        return null;
    }
}
