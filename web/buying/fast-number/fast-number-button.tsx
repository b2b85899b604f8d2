import { Zap } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useDialogs } from '#web/house/app-context.ts'
import { isPageShortcut, isTypedInto, targetOf } from '#web/ui/fields/initial/page-shortcut.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

export function FastNumberButton() {
  const t = useTranslations('header')
  const { open } = useDialogs()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // The handler compares `code` instead of `key`, because other keyboard layouts have another letter on the key F.
    if (event.code !== 'KeyF' || event.shiftKey || !isPageShortcut(event) || isTypedInto(targetOf(event))) return
    event.preventDefault()
    open('fastNumber', {})
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  return (
    <IconButton
      label={t('fastNumber')}
      aria-keyshortcuts="f"
      className="max-lg:hidden"
      onClick={() => open('fastNumber', {})}
    >
      <Zap size={18} aria-hidden />
    </IconButton>
  )
}
