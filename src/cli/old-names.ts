/** Names of options that an earlier version had: they work for one version more, with a notice. */

export interface OldName {
  /** Without its dashes. */
  readonly name: string;
  /** Has it a value? */
  readonly hasValue: boolean;
  /** The words of now; null where the word stays what it is. @param value '' without one */
  readonly now: (value: string) => readonly string[] | null;
}

/** The same option under another name. */
export function renamed(name: string, now: string): OldName {
  return { name, hasValue: true, now: (value) => [`--${now}`, value] };
}

/** A command line in the names of now. */
export function withNewNames(words: readonly string[], oldNames: readonly OldName[], warn: (line: string) => void): string[] {
  const out: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') return [...out, ...words.slice(i)];
    const [, name, inline] = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(word) ?? [];
    const old = oldNames.find((one) => one.name === name);
    const takesNext = old?.hasValue === true && inline === undefined;
    const value = inline ?? (takesNext ? words[i + 1] : '');
    // Without its value the parser says what is missing.
    const now = value === undefined ? null : (old?.now(value) ?? null);
    if (old === undefined || now === null) out.push(word);
    else {
      if (takesNext) i += 1;
      warn(
        now.length === 0
          ? `--${old.name} ${value} is no option any more, and has no effect; leave it out`
          : `--${old.name} is now ${now.join(' ')}; the old name works in this version only`,
      );
      out.push(...now);
    }
  }
  return out;
}
