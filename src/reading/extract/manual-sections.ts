/** The sections of a manual page, man-pages(7), in the languages that manuals are translated to. */

/**
 * Headings of such sections. `name` and `synopsis` begin a manual page; other pages have the rest of them, too.
 * From man-pages(7), and from the headings of translations in manpages-l10n.
 */
const SECTIONS = {
  name: 'name|bezeichnung|nom|nombre|nome|naam|nazwa|имя|название|名前|名称|名字|이름|naziv|namn|navn|nimi|isim|název',
  synopsis:
    'synopsis|übersicht|sinopsis|sinossi|sintassi|sinopse|samenvatting|składnia|обзор|синтаксис|書式|概要|概述|总览|摘要|总揽|개요|syntax|přehled|resumé|yleiskatsaus|özet',
  description:
    'description|beschreibung|descripción|descrizione|descrição|beschrijving|opis|описание|説明|解説|描述|说明|설명|beskrivning|beskrivelse|kuvaus|popis|açıklama',
  options:
    'options|command options|global options|optionen|opciones|opzioni|opções|opties|opcje|параметры|опции|オプション|选项|選項|옵션|flaggor|tilvalg|volby|seçenekler|parameters|arguments|flags|commands',
  more:
    'exit status|exit codes|return value|return values|errors|environment|environment variables|files|versions|version|history|notes|caveats|bugs|reporting bugs|example|examples|' +
    'see also|author|authors|copyright|keywords|diagnostics|standards|conforming to|configuration|usage|discussion|security|security considerations|limitations|' +
    'rückgabewert|fehler|dateien|umgebung|umgebungsvariablen|anmerkungen|beispiel|beispiele|siehe auch|autor|autoren|valeur renvoyée|fichiers|environnement|bogues|exemple|exemples|voir aussi|auteur|auteurs|' +
    'valor devuelto|ficheros|entorno|errores|ejemplo|ejemplos|véase también|autores|valore di ritorno|file|ambiente|bug|esempio|esempi|vedere anche|autore|autori|valor retornado|arquivos|veja também|exemplo|exemplos|' +
    'bestanden|voorbeeld|voorbeelden|zie ook|auteur|pliki|przykład|przykłady|zobacz także|zobacz również|файлы|примеры|пример|смотрите также|см. также|автор|авторы|ошибки|окружение|' +
    'ファイル|例|関連項目|著者|作者|バグ|返り値|環境変数|文件|示例|范例|参见|另见|错误|环境变量|返回值|파일|예제|참고|저자',
} as const;
type Section = keyof typeof SECTIONS;

const KNOWN: ReadonlyMap<string, Section> = new Map(
  (Object.entries(SECTIONS) as [Section, string][]).flatMap(([section, names]) => names.split('|').map((name) => [name, section] as const)),
);
/** Longer headings are of other texts. */
const MAX_HEADING_CHARS = 40;

/** The section that a heading begins: `NAME`, `See also`, `1. OPTIONS:`; null for another heading. */
export function manualSection(heading: string): Section | null {
  if (heading.length > MAX_HEADING_CHARS) return null;
  const name = heading.toLowerCase().replace(AROUND, '');
  return KNOWN.get(name) ?? null;
}

/** Numbers before a heading, colons and the signs of permanent links after it. */
const AROUND = /^[\d.\s]+(?=\D)|[\s:：¶#§]+$/gu;
