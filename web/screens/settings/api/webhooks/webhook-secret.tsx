import { useTranslations } from 'use-intl'
import type { SecretProps } from '../secrets/secret-list.tsx'
import { ShownSecret } from '../secrets/shown-secret.tsx'

/** The secret is shown only now. Programs verify signatures with it. */
export function WebhookSecret({ made: { name, secret }, onSaved }: SecretProps) {
  const t = useTranslations('webhooks.secret')
  const words = { title: t('title', { label: name }), text: t('text'), saved: t('saved') }
  return <ShownSecret secret={secret} words={{ ...words, copy: t('copy'), copied: t('copied') }} onSaved={onSaved} />
}
