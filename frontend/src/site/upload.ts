// A form with a large file shows how much of it was sent; without this it is sent all the same.

const MEGABYTE = 1024 * 1024;

/** Finds the forms that have a place for their progress and sends them so that it can be shown. */
export function showUploads(root: ParentNode = document): void {
  for (const box of root.querySelectorAll<HTMLElement>("[data-upload]")) {
    const form = box.closest("form");
    form?.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form, box);
    });
  }
}

function send(form: HTMLFormElement, box: HTMLElement): void {
  const said = box.querySelector("p")!;
  const bar = box.querySelector("progress")!;
  const file = form.querySelector<HTMLInputElement>("input[type=file]")?.files?.[0];
  const button = form.querySelector<HTMLButtonElement>("button")!;
  const tell = (text: string, isWrong = false): void => {
    box.hidden = false;
    said.textContent = text;
    said.className = isWrong ? "wrong" : "";
    bar.hidden = isWrong;
    button.disabled = !isWrong;
  };
  if (file && file.size > Number(box.dataset.most)) return tell(box.dataset.tooLarge!, true);
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", (event) => {
    bar.max = event.total;
    bar.value = event.loaded;
    tell(box.dataset.sending!.replace("{sent}", inMegabytes(event.loaded)).replace("{total}", inMegabytes(event.total)));
  });
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value"); // how long the reading takes nobody knows
    tell(box.dataset.reading!);
  });
  request.addEventListener("load", () => {
    // Where the work takes longer the answer is a page that waits for it, and reloads itself.
    if (new URL(request.responseURL).pathname.includes("/waiting/")) location.assign(request.responseURL);
    else show(request.responseText);
  });
  request.addEventListener("error", () => tell(box.dataset.failed!, true));
  request.open("POST", form.action);
  request.send(new FormData(form));
  tell(box.dataset.sending!.replace("{sent}", "0").replace("{total}", inMegabytes(file?.size ?? 0)));
}

/** The page that answers takes the place of this one. */
function show(text: string): void {
  const page = new DOMParser().parseFromString(text, "text/html");
  const main = page.querySelector("main");
  if (!main) return location.reload();
  document.title = page.title;
  document.querySelector("main")!.replaceWith(main);
  showUploads(main);
  scrollTo(0, 0);
  const told = main.querySelector<HTMLElement>("[aria-invalid=true], .notice");
  told?.setAttribute("tabindex", told.matches("input,select,textarea") ? "0" : "-1");
  told?.focus();
}

function inMegabytes(bytes: number): string {
  return String(Math.ceil(bytes / MEGABYTE));
}
