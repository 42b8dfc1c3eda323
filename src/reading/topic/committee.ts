import { createHash } from 'node:crypto';
import { CommonThreshold } from '../../base/core/common-threshold.ts';
import { InvariantError } from '../../base/core/errors.ts';
import type { JudgedText, TopicModel } from '../../base/core/parts/reading.ts';
import type { Unit } from '../../base/core/types.ts';
import type { SteeredAs } from './steering.ts';

/** The part of a topic model that a crawl needs. */
export type CommitteeMember = Pick<TopicModel, 'id' | 'name' | 'threshold' | 'judge' | 'judgeText' | 'excludes' | 'steeredAs'>;

/** The judgement of a committee about a page. */
export interface CommitteeJudgement {
  /** Relevance at or above the committee's threshold exactly if one of its topics finds the page on topic. */
  readonly relevance: Unit;
  /** Relevance to each topic, in their order. Absent if there is only one. */
  readonly relevances?: readonly Unit[];
}

/**
 * The topics of a crawl as one. A page is on topic if it is for one of them. Its relevance is the greatest, each shifted to a common threshold (see
 * `CommonThreshold`). A committee of one is that model. Each model holds 3.3 MB of tables, in every thread that reads pages.
 */
export class Committee {
  /**
   * Id of the model; for several topics, the first 16 characters of the SHA-256, hex, of their ids in alphabetical order, so their order
   * does not matter.
   */
  readonly id: string;
  readonly name: string;
  readonly threshold: Unit;
  readonly members: readonly CommitteeMember[];
  readonly #first: CommitteeMember;
  /** null if there is only one. */
  readonly #common: CommonThreshold | null;

  /** @throws InvariantError without members */
  constructor(members: readonly CommitteeMember[]) {
    const [first] = members;
    if (first === undefined) throw new InvariantError('a committee without members');
    this.members = members;
    this.#first = first;
    this.#common = members.length === 1 ? null : new CommonThreshold(members.map(({ threshold }) => threshold));
    this.id = this.#common === null ? first.id : idOf(members);
    this.name = members.map(({ name }) => name).join(', ');
    this.threshold = this.#common?.threshold ?? first.threshold;
  }

  judge(page: JudgedText): CommitteeJudgement {
    return this.judgementOf(this.members.map((member) => member.judge(page)));
  }

  /** The judgement that follows from those of the members, in their order. */
  judgementOf(relevances: readonly Unit[]): CommitteeJudgement {
    if (this.#common === null) return { relevance: relevances[0] as Unit };
    return { relevance: this.#common.combined(relevances), relevances };
  }

  /** Is a page with this judgement off topic only because of the NOT of a rule? */
  excludes(page: JudgedText, { relevance }: CommitteeJudgement): boolean {
    return relevance < this.threshold && this.members.some((member) => member.excludes?.(page) ?? false);
  }

  /** The wish about a page with this judgement. Only a crawl of one topic has wishes. */
  steeredAs(page: JudgedText, { relevance }: CommitteeJudgement): SteeredAs {
    return this.#common === null ? (this.#first.steeredAs?.(page, relevance) ?? null) : null;
  }

  /** The judgement about a page without content. */
  ofNone(): CommitteeJudgement {
    return this.judgementOf(this.members.map(() => 0));
  }

  /** Combines the judgements of the members, as `judgeText` does. */
  combined(relevances: readonly Unit[]): Unit {
    return this.#common === null ? (relevances[0] as Unit) : this.#common.combined(relevances);
  }

  /** Relevance of a text that is not a page, such as a link's words, by the same rule. */
  judgeText(text: string): Unit {
    if (this.#common === null) return this.#first.judgeText(text);
    return this.#common.combined(this.members.map((member) => member.judgeText(text)));
  }
}

function idOf(members: readonly CommitteeMember[]): string {
  const ids = members.map(({ id }) => id).sort();
  return createHash('sha256').update(ids.join(' ')).digest('hex').slice(0, 16);
}
