/** Option names of an earlier version: they still work in this version, with a notice. */

export interface OldName {
  /** Name without its dashes. */
  readonly name: string;
  /** Does it take a value? */
  readonly hasValue: boolean;
  /** The current words; null if the word stays as it is. @param value '' without one */
  readonly now: (value: string) => readonly string[] | null;
}

/** An old name of an option that only changed its name. */
export function renamed(name: string, now: string): OldName {
  return { name, hasValue: true, now: (value) => [`--${now}`, value] };
}

/** The command line with current names. */
export function withNewNames(words: readonly string[], oldNames: readonly OldName[], warn: (line: string) => void): string[] {
  const out: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') return [...out, ...words.slice(i)];
    const [, name, inline] = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(word) ?? [];
    const old = oldNames.find((one) => one.name === name);
    const takesNext = old?.hasValue === true && inline === undefined;
    const value = inline ?? (takesNext ? words[i + 1] : '');
    // If the value is missing, the parser reports it.
    const now = value === undefined ? null : (old?.now(value) ?? null);
    if (old === undefined || now === null) out.push(word);
    else {
      if (takesNext) i += 1;
      warn(
        now.length === 0
          ? `--${old.name} ${value} is no longer an option and has no effect; omit it`
          : `--${old.name} is now ${now.join(' ')}; the old name works in this version only`,
      );
      out.push(...now);
    }
  }
  return out;
}
