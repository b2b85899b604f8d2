import { useTranslations } from 'use-intl'

type Field = { name: string; required: boolean; about: string; type?: string; place?: string }

type FieldListProps = { title: string; fields: readonly Field[]; heading: 'h3' | 'h4' }

export function FieldList({ title, fields, heading: Heading }: FieldListProps) {
  const t = useTranslations('reference')
  return (
    <div>
      <Heading className="text-sm font-medium">{title}</Heading>
      {fields.length === 0 ? <p className="mt-1 text-sm text-muted">{t('takesNothing')}</p> : null}
      <ul className="divide-y divide-hairline">
        {fields.map(({ name, required, about, type, place }) => (
          <li key={name} className="py-2 text-sm">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <code className="font-mono font-medium">{name}</code>
              {type === undefined ? null : (
                <code className="min-w-0 font-mono text-[13px] text-muted wrap-anywhere">{type}</code>
              )}
              <span className="ml-auto text-muted">
                {[place, required ? t('required') : undefined].filter((word) => word !== undefined).join(', ')}
              </span>
            </p>
            {about === '' ? null : <p className="mt-0.5 text-muted">{about}</p>}
          </li>
        ))}
      </ul>
    </div>
  )
}
