/** Manuals of Debian whose translations are catalogues of gettext. */

export interface ManualSource {
  /** Source package of Debian 12. */
  readonly name: string;
  readonly licence: string;
  /** Catalogues in the source archive, with the language as first group. */
  readonly catalogues: RegExp;
  /** Whether constants are chosen on it, or figures reported. */
  readonly use: 'tuning' | 'report';
}

export const MANUALS: readonly ManualSource[] = [
  { name: 'shadow', licence: 'BSD-3-clause', catalogues: /\/man\/po\/([\w@]+)\.po$/, use: 'tuning' },
  { name: 'debhelper', licence: 'GPL-2+', catalogues: /\/man\/po4a\/po\/([\w@]+)\.po$/, use: 'tuning' },
  { name: 'debconf', licence: 'BSD-2-clause', catalogues: /\/doc\/man\/po4a\/po\/([\w@]+)\.po$/, use: 'tuning' },
  { name: 'dpkg', licence: 'GPL-2+', catalogues: /\/man\/po\/([\w@]+)\.po$/, use: 'report' },
  { name: 'apt', licence: 'GPL-2+', catalogues: /\/doc\/po\/([\w@]+)\.po$/, use: 'report' },
  { name: 'aptitude', licence: 'GPL-2+', catalogues: /\/doc\/po4a\/po\/([\w@]+)\.po$/, use: 'report' },
  { name: 'installation-guide', licence: 'GPL-2', catalogues: /\/po\/([\w@]+)\/[\w-]+\.po$/, use: 'report' },
];
