// Sounds made here, of a few tones each; nothing is loaded.
export type Sound = "move" | "capture" | "check" | "low" | "end" | "start";

type Tone = readonly [frequency: number, start: number, length: number, kind: OscillatorType];

const SCORES: Record<Sound, readonly Tone[]> = {
  move: [[190, 0, 0.07, "triangle"]],
  capture: [[150, 0, 0.06, "square"], [220, 0.04, 0.07, "triangle"]],
  check: [[520, 0, 0.08, "triangle"], [660, 0.09, 0.12, "triangle"]],
  low: [[880, 0, 0.05, "sine"], [880, 0.12, 0.05, "sine"]],
  start: [[392, 0, 0.14, "triangle"], [523, 0.16, 0.14, "triangle"], [659, 0.32, 0.26, "triangle"]],
  end: [[392, 0, 0.16, "triangle"], [330, 0.16, 0.16, "triangle"], [262, 0.32, 0.3, "triangle"]],
};
const LOUDNESS: Record<OscillatorType, number> = { triangle: 0.22, square: 0.06, sine: 0.12, sawtooth: 0, custom: 0 };
const KEPT = "arrocco_hall_silent";

export class Sounds {
  private audio: AudioContext | null = null;
  on = localStorage.getItem(KEPT) === null;

  constructor() {
    // Browsers let a page be heard once somebody has touched it.
    const wake = (): void => {
      this.audio ??= new AudioContext();
      void this.audio.resume();
    };
    for (const kind of ["pointerdown", "keydown"] as const) addEventListener(kind, wake, { once: true });
  }

  set(on: boolean): void {
    this.on = on;
    if (on) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, "1");
  }

  play(sound: Sound): void {
    const audio = this.audio;
    if (!this.on || !audio || audio.state !== "running") return;
    for (const [frequency, start, length, kind] of SCORES[sound]) {
      const at = audio.currentTime + start;
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.type = kind;
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(LOUDNESS[kind], at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + length);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + length);
    }
  }
}
