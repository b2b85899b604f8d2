import type { AnswerReply, AnswersReply } from '#contract/content.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import type { Caller } from '#server/house/http/caller.ts'
import { contentOf } from './content-of.ts'
import type { Answer } from './read-content.ts'
import { shownText } from './shown-text.ts'

export async function listAnswers(ctx: Context, caller: Caller): Promise<AnswersReply> {
  const content = (await contentOf(ctx))[caller.locale]
  return {
    status: true,
    categories: Object.entries(content.sections.faq).map(([slug, title]) => ({
      slug,
      title,
      answers: content.answers.filter(({ category }) => category === slug).map(toItem),
    })),
  }
}

export async function getAnswer(
  ctx: Context,
  caller: Caller,
  wanted: { category: string; slug: string },
): Promise<AnswerReply> {
  const content = (await contentOf(ctx))[caller.locale]
  const inCategory = content.answers.filter(({ category }) => category === wanted.category)
  const answer = inCategory.find(({ slug }) => slug === wanted.slug)
  if (answer === undefined) throw notFound()
  const category = { slug: answer.category, title: content.sections.faq[answer.category] ?? answer.category }
  return {
    status: true,
    data: { ...shownText(answer), slug: answer.slug, category },
    related: inCategory.filter((other) => other !== answer).map(toItem),
  }
}

function toItem({ slug, front }: Answer) {
  return { slug, title: front.title, description: front.description }
}
