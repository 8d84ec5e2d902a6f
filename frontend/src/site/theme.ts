// Changes light and dark at once; without this the same links do it by way of the server.
const YEAR = 365 * 24 * 3600;

export function chooseTheme(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("[data-theme-choice]")];
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const theme = link.dataset.themeChoice ?? "system";
      const seconds = theme === "system" ? 0 : YEAR;
      const secure = location.protocol === "https:" ? "; secure" : "";
      document.cookie = `arrocco_theme=${theme}; path=/; max-age=${seconds}; samesite=lax${secure}`;
      if (theme === "system") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
      const scheme = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]');
      if (scheme) scheme.content = theme === "system" ? "light dark" : theme;
      for (const other of links) {
        if (other === link) other.setAttribute("aria-current", "true");
        else other.removeAttribute("aria-current");
      }
    });
  }
}
