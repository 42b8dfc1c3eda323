/** A wrong name up to this many edits from a right one is taken for a slip of the keyboard. */
const MAX_EDITS = 3;

/** yargs' message for unknown options or commands, with the nearest known name. */
export function withSuggestion(message: string, options: readonly string[], commands: readonly string[]): string {
  const help = 'see forager --help, or forager <command> --help';
  const unknown = /^Unknown (argument|command)s?: (.+)$/s.exec(message);
  if (!unknown) return `${message.replaceAll(/\s*\n\s*/g, ' ')}; ${help}`;
  const name = (unknown[2] ?? '').split(', ')[0] ?? '';
  const meant =
    unknown[1] === 'command'
      ? nearest(name, commands)
      : nearest(
          name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
          options,
        );
  const dashes = unknown[1] === 'command' ? '' : '--';
  return `unknown ${unknown[1]} "${name}"${meant ? `; did you mean ${dashes}${meant}?` : ''}; ${help}`;
}

/** The known name with the fewest edits, when that is few enough for its length. */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.min(MAX_EDITS, Math.ceil(name.length / 3)) + 1;
  for (const candidate of known) {
    const edits = editDistance(name, candidate);
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein distance. O(a·b). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
