/** An archive of mailing lists: a page a mail, answers and senders are the links, the list that sent it is the label. */
import { grouped } from '../../src/base/core/grouped.ts';
import { escapedHtml } from '../../src/faces/web-ui/markup.ts';
import type { PackageFiles } from '../package-files.ts';
import { headersOf, readMail } from '../topics/mail.ts';
import { type Entry, type EntryWeb, Paths } from './entry.ts';
import { linkTo, listOf } from './html.ts';

const FILE = /^package\/data\/(?:easy|hard)-ham-\d\/.*\.txt$/;

/** Whether the package's file of this name is a mail that is no spam. */
export function isArchiveFile(name: string): boolean {
  return FILE.test(name);
}

interface Letter {
  readonly path: string;
  readonly id: string;
  /** Of the mail that it answers. */
  readonly answers: string | null;
  readonly subject: string;
  readonly sender: string;
  /** ms; NaN where the head has no date that can be read. */
  readonly time: number;
  readonly text: string;
  readonly list: string | null;
}

/** All lists in one archive, by date: neither its lists of mails nor its pages name a mailing list. */
export function mailWeb(source: PackageFiles): EntryWeb {
  const paths = new Paths();
  const letters = [...source.files]
    .map(([name, bytes]) => letterOf(bytes, paths.take('mail', name.replace(/^.*\/(\d+)\.(\w+)\.txt$/, '$2'))))
    .filter(({ text }) => text !== '')
    .sort((a, b) => (a.time || 0) - (b.time || 0) || (a.path < b.path ? -1 : 1));
  const byId = new Map(letters.map((letter) => [letter.id, letter]));
  const answersTo = grouped(letters, ({ answers }) => answers);
  const senders = [...grouped(letters, ({ sender }) => sender)].map(([title, own]) => senderPage(title, own, paths));
  const pathOfSender = new Map(senders.map(({ title, path }) => [title, path]));
  const entries = letters.map((letter): Entry => {
    const parent = letter.answers === null ? undefined : byId.get(letter.answers);
    const by = linkTo(pathOfSender.get(letter.sender) ?? null, letter.sender);
    const date = Number.isNaN(letter.time) ? '' : new Date(letter.time).toUTCString();
    const body = [
      `<p>From ${by}, ${date}</p>`,
      `<pre>${escapedHtml(letter.text)}</pre>`,
      listOf('In reply to', parent === undefined ? [] : [itemOf(parent)]),
      listOf('Replies', (answersTo.get(letter.id) ?? []).map(itemOf)),
    ];
    return { path: letter.path, title: letter.subject, body: body.join('\n'), labels: letter.list === null ? [] : [letter.list] };
  });
  return { entries, others: senders };
}

function senderPage(title: string, own: readonly Letter[], paths: Paths): Entry {
  return { path: paths.take('sender', title), title, body: listOf('Mails', own.map(itemOf)), labels: [] };
}

function itemOf({ path, subject, sender }: Letter): string {
  return `${linkTo(path, subject)}, ${escapedHtml(sender)}`;
}

function letterOf(bytes: Buffer, path: string): Letter {
  const head = headersOf(bytes);
  const { subject, text } = readMail(bytes);
  const [answered = null] = idsIn(head.get('in-reply-to')).concat(idsIn(head.get('references')).reverse());
  return {
    path,
    id: idsIn(head.get('message-id'))[0] ?? path,
    answers: answered,
    subject: withoutList(subject) || 'No subject',
    sender: senderIn(head.get('from') ?? ''),
    time: Date.parse(head.get('date') ?? ''),
    text: withoutFooter(text),
    list: listIn(head),
  };
}

function idsIn(field = ''): string[] {
  return field.match(/<[^<>\s]+>/g) ?? [];
}

/** Name, else what stands before the @ of the address. */
function senderIn(from: string): string {
  const name = from.replaceAll(/<[^>]*>|\([^)]*\)|"/g, '').trim();
  return name === '' || name.includes('@') ? (/[^\s<"@]+(?=@)/.exec(from)?.[0] ?? 'nobody') : name;
}

/** First part of the list's own name, by the fields that list servers write. */
function listIn(head: ReadonlyMap<string, string>): string | null {
  const [, id] = /<([\w-]+)\./.exec(head.get('list-id') ?? '') ?? [];
  if (id !== undefined) return id;
  const [, name = null] = /\blist ([\w-]+)@/.exec(head.get('mailing-list') ?? '') ?? [];
  return name;
}

/** List servers put their name before a subject. */
function withoutList(subject: string): string {
  return subject.replaceAll(/\[[\w .-]+\]\s*/g, '').trim();
}

/** A signature and the list server's lines, which name the list, stand below a line of their own. */
function withoutFooter(text: string): string {
  return text.split(/^(?:-- ?|[_=-]{20,}|-+.*Sponsor.*)$/m, 1)[0]?.trim() ?? '';
}
