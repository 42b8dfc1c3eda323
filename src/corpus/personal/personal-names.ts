/** Kinds of personal data, and the actions on them. Options and manifests load only these names. */
export const PERSONAL_KINDS = ['mail', 'phone', 'iban', 'card', 'ip', 'id'] as const;
export type PersonalKind = (typeof PERSONAL_KINDS)[number];

/** `mark` adds columns. `mask` adds them too, and replaces the data. `omit` leaves pages out. */
export const PERSONAL_ACTIONS = ['keep', 'mark', 'mask', 'omit'] as const;
export type PersonalAction = (typeof PERSONAL_ACTIONS)[number];

/** Has a corpus no personal data that is found? */
export function isMasked(action: PersonalAction = 'keep'): boolean {
  return action === 'mask' || action === 'omit';
}

/** Number of finds of each kind. */
export type PersonalCounts = Readonly<Record<PersonalKind, number>>;

/** Start and end, as offsets of UTF-16 code units, and the kind. */
export type PersonalRange = readonly [start: number, end: number, kind: PersonalKind];

/** Words for the kinds, on cards. */
export const PERSONAL_WORDS: Readonly<Record<PersonalKind, string>> = {
  mail: 'mail addresses',
  phone: 'telephone numbers',
  iban: 'bank accounts (IBAN)',
  card: 'payment cards',
  ip: 'IP addresses',
  id: 'national identity numbers',
};

/** The text instead of masked data, e.g. `[mail]`. No kind is found in it. */
export function maskOf(kind: PersonalKind): string {
  return `[${kind}]`;
}

/** The kinds that were found. @returns null for none */
export function foundKinds(counts: PersonalCounts): Partial<PersonalCounts> | null {
  const found = PERSONAL_KINDS.flatMap((kind) => (counts[kind] > 0 ? [[kind, counts[kind]] as const] : []));
  return found.length === 0 ? null : (Object.fromEntries(found) as Partial<PersonalCounts>);
}
