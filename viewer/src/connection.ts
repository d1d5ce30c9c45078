// SPDX-License-Identifier: Apache-2.0
// viewer/src/connection.ts - the WebSocket to the program, connected again when it breaks

export interface Status {
    time: number;
    step: number;
    rate: number;
    speed: number;
    paused: boolean;
    ended: boolean;
    contacts: number;
    newton: number;
    passes: number;
    unconverged: number;
    cut: number;
    viewers: number;
    grabbed: boolean;
}

export interface Listener {
    hello(scene: unknown): void;
    frame(buffer: ArrayBuffer): void;
    status(status: Status): void;
    note(text: string, bad: boolean): void;
    lost(retryIn: number): void; // [s]
}

const FIRST_WAIT = 0.5; // [s]
const LONGEST_WAIT = 5; // [s]

export class Connection {
    private socket: WebSocket | null = null;
    private wait = FIRST_WAIT;

    constructor(
        private readonly url: string,
        private readonly listener: Listener,
    ) {
        this.open();
    }

    get connected(): boolean {
        return this.socket?.readyState === WebSocket.OPEN;
    }

    /** Sends a request; it is lost without a connection: a run continues without pages. */
    send(request: Record<string, unknown>): void {
        if (this.connected) this.socket!.send(JSON.stringify(request));
    }

    private open(): void {
        const socket = new WebSocket(this.url);
        socket.binaryType = "arraybuffer";
        this.socket = socket;
        socket.onmessage = (event) => {
            if (typeof event.data !== "string") this.listener.frame(event.data as ArrayBuffer);
            else this.text(event.data);
        };
        socket.onclose = () => {
            this.listener.lost(this.wait);
            setTimeout(() => this.open(), 1000 * this.wait);
            this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
        };
    }

    private text(data: string): void {
        const message = JSON.parse(data) as { is: string } & Record<string, unknown>;
        switch (message.is) {
            case "hello":
                this.wait = FIRST_WAIT;
                this.listener.hello(message.scene);
                break;
            case "status":
                this.listener.status(message as unknown as Status);
                break;
            case "note":
            case "error":
                this.listener.note(String(message.text), message.is === "error");
                break;
        }
    }
}

/** The address of the stream: the token is after the # of the address of the page. */
export function streamAddress(location: { protocol: string; host: string; hash: string }): string {
    const words = new URLSearchParams(location.hash.replace(/^#/, ""));
    const token = words.get("token") ?? "";
    const run = words.get("run") === "1" ? "&run=1" : ""; // the second of two recordings
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${location.host}/stream?token=${encodeURIComponent(token)}${run}`;
}
