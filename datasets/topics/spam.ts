import { DataError } from '../../src/base/core/errors.ts';
import type { PackageFiles } from '../package-files.ts';
import { readMail } from './mail.ts';
import type { LabelledText } from './text-set.ts';

const FILE = /^package\/data\/((?:easy-ham|hard-ham|spam)-\d)\/(\d+)\.[0-9a-f]+\.txt$/;

/** Whether the package's file of this name is a mail. */
export function isMailFile(name: string): boolean {
  return FILE.test(name);
}

/** Mails of 2002, spam or not; subject and body only, for the other headers say where a mail was collected. @throws DataError when the package has none. */
export function spamTexts(corpus: PackageFiles): LabelledText[] {
  const texts = [...corpus.files].map(([name, bytes]): LabelledText => {
    const [, folder = '', number = ''] = FILE.exec(name) ?? [];
    const { subject, text } = readMail(bytes);
    const labels = folder.startsWith('spam') ? ['spam'] : [];
    return { id: `${folder}-${number}`, group: null, labels, title: subject, text, url: null, side: null };
  });
  if (texts.length === 0)
    throw new DataError(`package ${corpus.name} ${corpus.version}: has no mails; another version may have moved them`);
  return texts.sort((a, b) => (a.id < b.id ? -1 : 1));
}
