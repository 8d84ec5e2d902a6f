// What can be measured of camera and microphone without knowing whom they show.
export interface Measured {
  light: number;
  change: number;
  level: number;
}

const WIDTH = 160;
const HEIGHT = 120;
const SAMPLES = 32_768;

export class Meter {
  private readonly canvas = document.createElement("canvas");
  private readonly pen: CanvasRenderingContext2D;
  private readonly analyser: AnalyserNode;
  private readonly context = new AudioContext();
  private readonly samples = new Float32Array(SAMPLES);
  private before: Uint8Array | null = null;

  constructor(private readonly video: HTMLVideoElement, stream: MediaStream) {
    this.canvas.width = WIDTH;
    this.canvas.height = HEIGHT;
    this.pen = this.canvas.getContext("2d", { willReadFrequently: true })!;
    this.analyser = this.context.createAnalyser();
    this.analyser.fftSize = SAMPLES;
    if (stream.getAudioTracks().length) this.context.createMediaStreamSource(stream).connect(this.analyser);
    void this.context.resume();
  }

  /** Looks at the camera and listens to the microphone now. */
  measure(): Measured {
    if (this.video.videoWidth) this.pen.drawImage(this.video, 0, 0, WIDTH, HEIGHT);
    const { data } = this.pen.getImageData(0, 0, WIDTH, HEIGHT);
    const grey = new Uint8Array(WIDTH * HEIGHT);
    let sum = 0;
    let change = 0;
    for (let at = 0; at < grey.length; at++) {
      const light = (data[4 * at]! * 3 + data[4 * at + 1]! * 6 + data[4 * at + 2]!) / 10;
      grey[at] = light;
      sum += light;
      if (this.before) change += Math.abs(grey[at]! - this.before[at]!);
    }
    const isFirst = this.before === null;
    this.before = grey;
    this.analyser.getFloatTimeDomainData(this.samples);
    let peak = 0;
    for (const sample of this.samples) peak = Math.max(peak, Math.abs(sample));
    const isHeard = this.context.state === "running";
    return {
      light: Math.round(sum / grey.length),
      change: isFirst ? 1 : Math.min(65_535, change),
      level: isHeard ? Math.min(65_535, Math.ceil(peak * 65_535)) : 1,
    };
  }

  still(): Promise<Blob | null> {
    return new Promise((done) => this.canvas.toBlob(done, "image/webp", 0.6));
  }

  close(): void {
    void this.context.close();
  }
}
