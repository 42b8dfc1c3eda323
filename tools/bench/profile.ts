/** V8 CPU profiles, added up by room of the code map. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

interface Frame {
  readonly url: string;
  readonly functionName: string;
  /** From 0. */
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: Frame;
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface RoomTime {
  readonly room: string;
  readonly micros: number;
}

const IDLE = new Set(['(idle)', '(program)', '(root)']);

/**
 * Busy time of each room, most first. Time in native code, WebAssembly and libraries goes to the room that called it. Functions of a bundle have the
 * room of their source where a source map lies beside it (`x.js.map`).
 */
export function roomsOf(profiles: readonly string[]): readonly RoomTime[] {
  const rooms = new Map<string, number>();
  const sources = new Sources();
  for (const text of profiles) addUp(JSON.parse(text) as Profile, rooms, sources);
  return [...rooms].map(([room, micros]) => ({ room, micros })).sort((a, b) => b.micros - a.micros);
}

function addUp({ nodes, samples, timeDeltas }: Profile, rooms: Map<string, number>, sources: Sources): void {
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map(({ id, callFrame }) => [id, { functionName: callFrame.functionName, file: sources.fileOf(callFrame) }]));
  const roomOf = new Map<number, string>();
  for (const { id } of nodes) roomOf.set(id, roomFor(id));
  for (const [i, sample] of samples.entries()) {
    const room = roomOf.get(sample) ?? '';
    if (room !== '') rooms.set(room, (rooms.get(room) ?? 0) + (timeDeltas[i] ?? 0));
  }

  /** The nearest caller in our own code; else what it is without one. */
  function roomFor(id: number): string {
    const { functionName, file: self } = byId.get(id) ?? { functionName: '', file: '' };
    if (IDLE.has(functionName)) return '';
    if (functionName === '(garbage collector)') return 'garbage collection';
    for (let at: number | undefined = id; at !== undefined; at = parentOf.get(at)) {
      const room = roomOfFile(byId.get(at)?.file ?? '');
      if (room !== null) return room;
    }
    const library = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(self)?.[1];
    return library ? `${library} (from its own events)` : 'Node itself (streams, messages, timers)';
  }
}

/**
 * The room: the folder of a file below `dist` or, by a source map, below `src`. Rooms lie in wings; commits before the wings have them side by side.
 * null of other files and of a bundle without a map.
 */
function roomOfFile(file: string): string | null {
  if (/(?:^|\/)node_modules\//.test(file)) return null;
  const room = /(?:^|\/)(?:dist|src)\/(?:(?:base|reading|crawling|corpus|study|faces)\/)?([a-z-]+)\//.exec(file)?.[1] ?? null;
  return room === 'bin' ? null : room;
}

/** Files of functions, by source maps where there are any; each map is read once. */
class Sources {
  readonly #maps = new Map<string, SourceMap | null>();

  fileOf({ url, lineNumber, columnNumber }: Frame): string {
    const entry = this.#mapOf(url)?.findEntry(lineNumber, columnNumber);
    // A map names its sources by their way from its own folder.
    return entry !== undefined && 'originalSource' in entry ? new URL(entry.originalSource, url).href : url;
  }

  #mapOf(url: string): SourceMap | null {
    const known = this.#maps.get(url);
    if (known !== undefined) return known;
    const file = /^file:.*\/dist\/bin\//.test(url) ? `${fileURLToPath(url)}.map` : '';
    const map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null;
    this.#maps.set(url, map);
    return map;
  }
}
