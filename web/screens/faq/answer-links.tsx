import { Link } from '#web/navigation/link.tsx'

type AnswerLinksProps = {
  category: string
  answers: readonly { slug: string; title: string; description: string }[]
  long?: boolean
}

export function AnswerLinks({ category, answers, long = false }: AnswerLinksProps) {
  return (
    <ul>
      {answers.map(({ slug, title, description }) => (
        <li key={slug} className="border-b border-hairline last:border-b-0">
          <Link to={`/faq/${category}/${slug}`} className="group flex min-h-11 flex-col justify-center py-2">
            <span className="underline-offset-4 group-hover:underline">{title}</span>
            {long ? <span className="text-[15px] text-muted">{description}</span> : null}
          </Link>
        </li>
      ))}
    </ul>
  )
}
