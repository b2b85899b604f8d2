import { Check, Copy } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useCopy } from './copy-text.ts'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useTranslations('ticket')
  const { copied, copy } = useCopy(text)
  return (
    <IconButton label={copied ? t('copied') : label} onClick={copy} className={copied ? 'text-received' : 'text-muted'}>
      {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
    </IconButton>
  )
}
