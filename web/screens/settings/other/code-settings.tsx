import { Volume2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { SOUNDS } from '#contract/settings/sounds.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { Button } from '#web/ui/button.tsx'
import { playChime } from '#web/ui/chime.ts'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'
import type { PreferenceProps } from './place-settings.tsx'
import { SwitchRow } from './switch-row.tsx'

export function CodeSettings({ settings, wish }: PreferenceProps) {
  const t = useTranslations('settings.newCode')
  return (
    <SettingsGroup title={t('title')}>
      <div className="-my-3 divide-y divide-hairline">
        <SwitchRow
          label={t('copying_code.label')}
          text={t('copying_code.text')}
          checked={settings.copying_code}
          onChange={(value) => wish('copying_code', value)}
        />
        <SwitchRow
          label={t('sound_new_sms.label')}
          text={t('sound_new_sms.text')}
          checked={settings.sound_new_sms}
          onChange={(value) => wish('sound_new_sms', value)}
        />
        {settings.sound_new_sms ? <SoundChoice settings={settings} wish={wish} /> : null}
      </div>
    </SettingsGroup>
  )
}

function SoundChoice({ settings, wish }: PreferenceProps) {
  const t = useTranslations('settings.newCode')
  const { sound } = settings
  const [moving, setMoving] = useState<number | null>(null)
  const volume = moving ?? settings.volume
  function settle(): void {
    if (moving === null) return
    setMoving(null)
    if (moving !== settings.volume) wish('volume', moving)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 py-4">
      <fieldset>
        <legend className="sr-only">{t('sound')}</legend>
        <div className={`flex flex-wrap ${SEGMENTS}`}>
          {SOUNDS.map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={choice === sound}
              className={segmentLook(choice === sound)}
              onClick={() => {
                wish('sound', choice)
                playChime({ sound: choice, volume })
              }}
            >
              {t(`sounds.${choice}`)}
            </button>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex min-h-11 min-w-0 flex-1 basis-52 items-center gap-3">
          <span className="text-sm font-medium">{t('volume')}</span>
          <input
            type="range"
            min={0}
            max={100}
            step={5}
            className="h-10 w-0 min-w-0 flex-1 cursor-pointer accent-ink"
            value={volume}
            onChange={(event) => setMoving(event.currentTarget.valueAsNumber)}
            onPointerUp={settle}
            onKeyUp={settle}
            onBlur={settle}
          />
        </label>
        <Button onClick={() => playChime({ sound, volume })}>
          <Volume2 size={18} aria-hidden />
          {t('test')}
        </Button>
      </div>
    </div>
  )
}
