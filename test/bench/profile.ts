/** V8 CPU profiles, added up by room of the code map. */

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly url: string; readonly functionName: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const IDLE = new Set(['(idle)', '(program)', '(root)']);

/** Busy time of each room, most first. Time in native code and libraries goes to the room that called it. */
export function roomsOf(profiles: readonly string[]): { readonly room: string; readonly micros: number }[] {
  const rooms = new Map<string, number>();
  for (const text of profiles) addUp(JSON.parse(text) as Profile, rooms);
  return [...rooms].map(([room, micros]) => ({ room, micros })).sort((a, b) => b.micros - a.micros);
}

function addUp({ nodes, samples, timeDeltas }: Profile, rooms: Map<string, number>): void {
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const roomOf = new Map<number, string>();
  for (const { id } of nodes) roomOf.set(id, roomFor(id));
  for (const [i, sample] of samples.entries()) {
    const room = roomOf.get(sample) ?? '';
    if (room !== '') rooms.set(room, (rooms.get(room) ?? 0) + (timeDeltas[i] ?? 0));
  }

  /** The nearest caller in our own code; else what it is without one. */
  function roomFor(id: number): string {
    const { functionName, url: self } = byId.get(id)?.callFrame ?? { functionName: '', url: '' };
    if (IDLE.has(functionName)) return '';
    if (functionName === '(garbage collector)') return 'garbage collection';
    for (let at: number | undefined = id; at !== undefined; at = parentOf.get(at)) {
      const room = /\/dist\/([a-z]+)\//.exec(byId.get(at)?.callFrame.url ?? '')?.[1];
      if (room) return room;
    }
    const library = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(self)?.[1];
    return library ? `${library} (from its own events)` : 'Node itself (streams, messages, timers)';
  }
}
