import { useState } from 'react'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'

const OVERLAPS = [0, 1, 24, 72, 168] as const
const USUAL = 24

type RotateSecretProps = {
  words: { text: string; label: string; submit: string }
  overlapText: (overlap: { hours: number; days: number }) => string
  rotate: (overlapHours: number) => Promise<void>
}

export function RotateSecret({ words, overlapText, rotate }: RotateSecretProps) {
  const { pending, once } = useSingleFlight()
  const [hours, setHours] = useState<number>(USUAL)
  return (
    <div className="mt-4 rounded border border-hairline bg-surface p-4">
      <p className="mb-3 text-muted">{words.text}</p>
      <div className="flex flex-wrap items-end gap-3">
        <SelectBox
          label={words.label}
          labelShown
          className="min-w-56"
          value={hours}
          onChange={(event) => setHours(Number(event.currentTarget.value))}
        >
          {OVERLAPS.map((overlap) => (
            <option key={overlap} value={overlap}>
              {overlapText({ hours: overlap, days: overlap / 24 })}
            </option>
          ))}
        </SelectBox>
        <Button kind="primary" className="min-h-11" aria-disabled={pending} onClick={() => once(() => rotate(hours))}>
          {words.submit}
        </Button>
      </div>
    </div>
  )
}
