/** Reports on a terminal: lines end at words, and printed commands stay whole. Pure. */
import { programName } from '../../base/text/forager-command.ts';
import { columnsOf } from './terminal-text.ts';

/** Continues a line that was broken. */
const INDENT = '  ';
/** The end of a command in a sentence. */
const ENDS = /[;)](?= |$)|\.(?= [A-Z])|, (?=or |then )/;

/** Lines of at most `columns`, unless a word or a command is longer: the terminal then breaks it, and a selection has it whole. */
export function reportLines(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => (columnsOf(line) <= columns ? [line] : broken(line, columns)));
}

function broken(line: string, columns: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let now = indent;
  for (const word of wordsOf(line.slice(indent.length))) {
    const isFirst = now.trim() === '';
    if (!isFirst && columnsOf(now) + 1 + columnsOf(word) > columns) {
      lines.push(now);
      now = `${indent}${INDENT}${word}`;
    } else now += isFirst ? word : ` ${word}`;
  }
  return [...lines, now];
}

/** Words, and commands as one word each. */
function wordsOf(text: string): string[] {
  const at = text.indexOf(`${programName()} `);
  if (at < 0) return text.split(' ');
  const length = ENDS.exec(text.slice(at))?.index ?? text.length - at;
  const end = text.indexOf(' ', at + length);
  const [before, command, after] = [
    text.slice(0, at).trimEnd(),
    text.slice(at, end < 0 ? undefined : end),
    end < 0 ? '' : text.slice(end + 1),
  ];
  return [...(before === '' ? [] : before.split(' ')), command, ...(after === '' ? [] : wordsOf(after))];
}
