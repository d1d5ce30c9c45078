// SPDX-License-Identifier: Apache-2.0
// viewer/src/objects.ts - the tree of things: what is visible, and what is selected

import type { Item, Looks } from "./looks.ts";
import { byId } from "./panel.ts";

const OPEN = 12; // groups with at most this many things are open at first

interface Group {
    name: string;
    items: Item[];
    box: HTMLInputElement;
    list: HTMLElement;
    rows: { item: Item; row: HTMLElement; box: HTMLInputElement }[]; // made when it is opened
}

/** Things by kind; links of a robot and copies of an object by the part of the name before the slash. */
export function groupsOf(items: Item[]): Map<string, Item[]> {
    const groups = new Map<string, Item[]>();
    for (const item of items) {
        const slash = item.name.indexOf("/");
        const name = slash > 0 ? item.name.slice(0, slash) : item.kind;
        const list = groups.get(name);
        if (list) list.push(item);
        else groups.set(name, [item]);
    }
    return groups;
}

export class Objects {
    onSelect: (item: Item) => void = () => {};
    private readonly groups: Group[] = [];

    constructor(private readonly looks: Looks) {
        const root = byId("tree");
        root.replaceChildren();
        for (const [name, items] of groupsOf(looks.items)) root.append(this.group(name, items));
        byId("objects").hidden = looks.items.length === 0;
        byId("show-all").onclick = () => looks.show(looks.items, true);
    }

    private group(name: string, items: Item[]): HTMLElement {
        const element = document.createElement("details");
        const head = document.createElement("summary");
        const list = document.createElement("ul");
        const box = checkbox(`Show all of ${name}`);
        const count = document.createElement("span");
        count.className = "quiet";
        count.textContent = String(items.length);
        head.append(box, name, count);
        element.append(head, list);
        const group: Group = { name, items, box, list, rows: [] };
        box.onclick = (event) => event.stopPropagation();
        box.onchange = () => this.looks.show(items, box.checked);
        element.ontoggle = () => {
            if (element.open) this.fill(group);
        };
        this.groups.push(group);
        if (items.length <= OPEN) {
            element.open = true;
            this.fill(group);
        }
        return element;
    }

    private fill(group: Group): void {
        if (group.rows.length > 0) return;
        for (const item of group.items) {
            const row = document.createElement("li");
            const box = checkbox(`Show ${item.name}`);
            const name = document.createElement("button");
            name.type = "button";
            name.textContent = item.name;
            name.title = `Select ${item.name}`;
            name.onclick = (event) => {
                // after a click of the mouse (not of a key) the space key plays again
                if (event.detail > 0) name.blur();
                this.onSelect(item);
            };
            box.onchange = () => this.looks.show([item], box.checked);
            row.append(box, name);
            group.list.append(row);
            group.rows.push({ item, row, box });
        }
        this.update();
    }

    /** Called after a change of looks. */
    update(): void {
        for (const { items, box, rows } of this.groups) {
            const visible = items.filter((item) => item.look.visible).length;
            box.checked = visible > 0;
            box.indeterminate = visible > 0 && visible < items.length;
            for (const { item, row, box: own } of rows) {
                own.checked = item.look.visible;
                row.classList.toggle("selected", item.look.selected);
            }
        }
        byId("show-all").hidden = this.looks.items.every((item) => item.look.visible);
    }
}

function checkbox(name: string): HTMLInputElement {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = true;
    box.setAttribute("aria-label", name);
    return box;
}
