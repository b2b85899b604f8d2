import { useTranslations } from 'use-intl'

type GroupListProps = { groups: readonly { tag: string; name: string }[] }

export function groupId(tag: string): string {
  return `group-${tag}`
}

export function GroupList({ groups }: GroupListProps) {
  const t = useTranslations('reference')
  return (
    <nav aria-label={t('groupList')}>
      <ul className="flex flex-wrap gap-x-5">
        {groups.map(({ tag, name }) => (
          <li key={tag}>
            <a
              href={`#${groupId(tag)}`}
              className="inline-flex min-h-10 items-center text-[15px] underline decoration-edge underline-offset-4 hover:decoration-current"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
