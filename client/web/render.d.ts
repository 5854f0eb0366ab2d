/** As much of Preact as the page uses, for the check of its types; not served. */

export type Child = Node | string | number | boolean | null | undefined | Child[];
export interface Node {
  type: unknown;
}
export type Props = { [name: string]: any };
export function h(type: string | ((props: any) => Child), props?: Props | null, ...children: Child[]): Node;
export function render(child: Child, parent: Element): void;
