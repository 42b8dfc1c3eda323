/** Names of authors in a line of credits: `By Ada Vale and Otto Gale, staff writers`, `作者：王伟`. */
import { isOrganisation, isPerson, isRole, namesIn } from './author-names.ts';

/** Word before the names. */
const BY =
  /^(?:(?:(?:(?:story|words|text|written|posted|published|reported|analysis|review|opinion|report|article|authored) )?by(?=[\s:])|geschrieben von|von|ein (?:artikel|beitrag) von|par|écrit par|por|escrito por|di|scritto da|a cura di|da|door|geschreven door|av|af|przez)\s*:?\s+|(?:authors?|autor(?:e|a|es|en|in|ka|zy)?|auteurs?|autrice|автор(?:ы|и)?|текст|yazar|작성자|글|글쓴이|著者|執筆|筆者)\s*[:：]\s*|(?:作者|撰文|文|记者|記者|撰稿)\s*[:：/／]?\s*)/iu;
/** A line has such a word, perhaps: most lines have none. */
export const LEADS =
  /(?:^|[|•·:\d]|\s\s)\s*(?:(?:story|words|text|written|posted|published|reported|analysis|review|opinion|report|article|authored|geschrieben|ein|écrit|escrito|scritto|a cura|geschreven)\s|by|von\s|par\s|por\s|d[ia]\s|door\s|a[vf]\s|przez\s|aut|автор|текст|yazar|작성자|글|作者|撰|文|记者|記者|著者|執筆|筆者)/iu;
/** `ByAda Vale`, where a tag stood between. */
const GLUED = /^By(?=\p{Lu}[\p{L}'’.-]+\s\p{Lu})/u;
const EASTERN_LEAD = /^(?:作者|撰文|文|记者|記者|撰稿|作成者|著者|執筆|筆者|작성자|글|글쓴이)/u;
/** End of the names: a day, a label, a mark. */
const END =
  /\s*(?:[|•·–—―(@\n\t]|\s[-‒/]\s|\d|(?<![\p{L}])(?:published|posted|updated|last updated|reviewed|edited|fact|on|in|for|at|from|veröffentlicht|am|für|publié|le|il|publicado|pubblicato|em|op)(?![\p{L}]))/iu;
/** A role behind a name, where a tag stood between: `Ada ValeSenior Editor`. Other capitals inside a word are part of the name: `SanSone`. */
const GLUED_ROLE = /(?<=\p{Ll}{2})(?=\p{Lu}\p{Ll}[\p{L} ]*$)/u;
const AND = /\s*,?\s+(?:and|und|et|y|e|en|og|och|i|и|with|mit|avec|con|com|&)\s+/iu;
const EASTERN_NAME = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}ー·]{2,8}$/u;
/** Words behind the names: other labels, and `reporter`. */
const EASTERN_END =
  /\s*(?:[\p{sc=Han}\p{sc=Hangul}]{1,6}\s?[:：]|(?:发布|發布|發佈|更新|来源|來源|编辑|編輯|时间|時間|日期|公開|掲載|등록|입력|수정|기자)).*$/u;
const NICKNAME = /^[\p{L}][\p{L}\p{N}_.-]{2,29}$/u;
const MOST_CHARS = 160;
/** Words of a name without a word before it. */
const MOST_MARKED = 3;

/**
 * The authors of a line; null for a line that names some in a way that is not read.
 * @param label a line before it that is such a word; '' without one
 * @param isMarked a class name says that the line is about the author: then no word before the name is needed
 */
export function authorsIn(line: string, label: string, isMarked: boolean): readonly string[] | null {
  if (line.length > MOST_CHARS) return [];
  for (const part of `${label === '' ? '' : `${label} `}${line}`.split(/\s*[|•·]\s*|\s{2,}/u)) {
    const lead = (BY.exec(part) ?? GLUED.exec(part))?.[0];
    const names = lead === undefined ? (isMarked ? markedIn(part) : []) : ledBy(lead, part.slice(lead.length), isMarked);
    if (names.length > 0) return names;
    if (lead !== undefined && isMarked) return null;
  }
  return [];
}

function ledBy(lead: string, text: string, isMarked: boolean): readonly string[] {
  if (EASTERN_LEAD.test(lead)) return easternNames(text);
  const name = upToEnd(text);
  // A nickname: `by canalwatcher`.
  // `ByLock Games`, the maker of a product.
  if (!/\s$|[:：]$/.test(lead)) return markedIn(text);
  return isMarked && NICKNAME.test(text.trim()) ? namesIn(name) : peopleIn(name);
}

function markedIn(text: string): readonly string[] {
  const names = peopleIn(upToEnd(text));
  return names.every((name) => isPerson(name) && name.split(/\s+/).length <= MOST_MARKED) ? names : [];
}

function upToEnd(text: string): string {
  const [first = ''] = text.split(END, 1);
  const [name = '', role = ''] = first.split(GLUED_ROLE, 2);
  return (isRole(role) ? name : first).trim();
}

/** `王伟、李明 发布时间：…`. */
function easternNames(text: string): readonly string[] {
  const names = text
    .replace(EASTERN_END, '')
    .split(/[、，,\s]+/u)
    .filter((name) => name !== '');
  const end = names.findIndex((name) => !EASTERN_NAME.test(name));
  return end < 0 ? names : names.slice(0, end);
}

/** `Ada Vale, Otto Gale and Ines Varga, staff writers`: names up to the first part that is none. */
function peopleIn(text: string): readonly string[] {
  const joined = text.split(AND);
  const listed = joined.map((part) => part.split(/\s*,\s*/));
  const parts = listed.flat();
  // `Ada Vale, Otto Gale` or `Ada Vale, Canal Weekly`: the second may be her paper.
  if (joined.length === 1 && parts.length === 2 && isPerson(parts[1] ?? '') && !isRole(parts[1] ?? '')) return [];
  if (parts.length === 1 && isOrganisation(text)) return [text];
  const people: string[] = [];
  for (const part of parts) {
    const [name] = namesIn(part);
    if (name === undefined || !isPerson(name) || isRole(part)) break;
    people.push(name);
  }
  // `Ada Vale and the team`: a name that is not read. A role may have an `and` of its own.
  return joined.length > 1 && people.length === 1 && !isRole(parts[1] ?? '') ? [] : people;
}
