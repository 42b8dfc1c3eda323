/** Reads the answer of a language model. Pure. */
import * as z from 'zod';

/** The judgement of a page by the model. */
export interface JudgeAnswer {
  readonly onTopic: boolean;
  readonly reason: string;
}

/** Characters of a reason that are kept. */
const REASON_CHARS = 400;
/** A block of code around the answer, with or without the name of a language. */
const FENCED = /^```[a-z]*\s*([\s\S]*?)\s*```$/i;

const answerSchema = z.object({ onTopic: z.boolean(), reason: z.string().default('') });

/** @returns the answer, or the reason in words why the content is not an answer */
export function answerIn(content: string): JudgeAnswer | string {
  const bare = content.trim();
  const [, fenced] = FENCED.exec(bare) ?? [];
  const value = jsonIn(fenced ?? bare);
  if (value === undefined) return bare === '' ? 'the answer is empty' : 'the answer is not JSON';
  const { success, data } = answerSchema.safeParse(value);
  if (!success) return 'the answer has no field onTopic that is true or false';
  return {
    onTopic: data.onTopic,
    reason: data.reason
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, REASON_CHARS),
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
