/** Demands for scripts: "You need to enable JavaScript to run this app." */
import { LINE, lineNumber, lineText, type PageContent } from './blocks.ts';
import { ROLE } from './main-text.ts';

const SCRIPTS = /java\s?script/i;
/** A demand for scripts, in the languages of most pages. */
const DEMAND =
  /enable|requires?\b|turn(ed)? on|need|disabled|support|aktivier|eingeschaltet|benötigt|activ|habilit|abilit|attiv|nécessite|vereist|schakel|wymaga|włącz|aktiver|включ|отключ|有効|启用|啟用|支持|필요|활성/i;
/** A demand to the reader, in a block of its own: an article that mentions scripts has other words. */
const APPEAL =
  /enabl|turn(ed)? (it )?on|switch(ed)? (it )?on|activate|disabled|turned off|without java\s?script|(requires?|needs?|benötigt|nécessite|vereist|wymaga|richiede|requiere|требует) java\s?script\b(?!\s\w+s\b|\s\d)|aktivier|einschalt|eingeschaltet|deaktiviert|activ|habilit|abilit|attiv|schakel|włącz|aktiver|включ|отключ|有効|启用|啟用|활성/i;
/** Words, at most, of such a block: Create React App and Vue CLI have 9 and 16. Chosen by hand. */
const MOST_WORDS = 40;
/** More such blocks are an article about scripts. */
const MOST_BLOCKS = 2;
/** The usual spellings: a search for them costs a tenth of a regular expression. */
const SPELLINGS = ['JavaScript', 'Javascript', 'javascript', 'JAVASCRIPT', 'Java Script'];
/** Starts of these: the engine looks for a short string by its first character, which is rare and faster again. */
const STARTS = ['JavaS', 'Javas', 'javas', 'JAVAS', 'Java '];

/** Comments and players that need scripts are parts of a page. */
const PART = /disqus|comment|kommentar|commentaire|comentario|video|player|map|search/i;

/** Does a text ask for scripts? Comments and players that need them do not count. */
export function isDemand(text: string): boolean {
  return (
    SCRIPTS.test(text) && text.split(/[.!?。]/).some((sentence) => SCRIPTS.test(sentence) && !PART.test(sentence)) && DEMAND.test(text)
  );
}

/**
 * The roles without blocks of main text that ask the reader for scripts. A page whose other blocks of main text mention scripts is about them, and keeps all.
 * @param chosen not changed
 * @returns `chosen` itself if nothing changes. O(length of the text).
 */
export function withoutDemands(content: PageContent, chosen: Uint8Array): Uint8Array {
  if (!mentionsScripts(content.text)) return chosen;
  const about = [...chosen.keys()].filter((block) => chosen[block] === ROLE.text && SCRIPTS.test(lineText(content, block)));
  const demands = about.filter((block) => isShort(content, block) && isAppeal(lineText(content, block)));
  if (demands.length === 0 || demands.length > MOST_BLOCKS || demands.length < about.length) return chosen;
  return chosen.map((role, block) => (demands.includes(block) ? ROLE.links : role));
}

function mentionsScripts(text: string): boolean {
  return STARTS.some((start) => text.includes(start)) && SPELLINGS.some((spelling) => text.includes(spelling));
}

function isShort({ lines }: PageContent, block: number): boolean {
  return lineNumber(lines, block, LINE.halfWords) <= 2 * MOST_WORDS;
}

/** Does a text ask its reader for scripts? */
function isAppeal(text: string): boolean {
  return SCRIPTS.test(text) && APPEAL.test(text);
}

/** Does a text ask its reader for scripts, and not for those of comments or a player? */
export function isAppealOfPage(text: string): boolean {
  return isAppeal(text) && !PART.test(text);
}

/** Longest label that says that a page is loading, in UTF-16 units. */
const LONGEST_LABEL = 60;
const LOADING =
  /loading|please wait|searching|wird geladen|bitte warten|chargement|cargando|carregando|caricamento|aan het laden|ładowanie|загрузка|加载|載入|读取中|読み込み|로딩/i;

export function isLoading(text: string): boolean {
  return text.length < LONGEST_LABEL && LOADING.test(text);
}
