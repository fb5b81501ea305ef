package drawing

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// The measures of a drawing, in its units. A letter of the font is at most as wide as letter.
const (
	margin   = 24
	row      = 22
	letter   = 7.3
	between  = 110 // columns
	apart    = 18  // boxes
	maxShown = 44  // letters of a name
)

// box is a node with its place. A module's box holds the rows of its units.
type box struct {
	column        int
	x, y, w, h    float64
	label, detail string
}

func (b box) middle() float64 { return b.y + row/2 }

// layout places the nodes: modules in columns, what they rest on to the right of them, and files in the last column, each near what leads
// to it. It takes time that grows with what there is to draw.
func (n *Network) layout(clean func(string) string) (boxes []box, width, height float64) {
	boxes = make([]box, len(n.Nodes))
	depths := n.depths()
	deepest := 0
	for _, d := range depths {
		deepest = max(deepest, d)
	}
	columns := make([][]int, deepest+2)
	for i, node := range n.Nodes {
		boxes[i].label = clean(node.Described())
		switch node.Kind {
		case ModuleNode:
			boxes[i].detail = clean(about(node))
			boxes[i].column = deepest - depths[i]
		case UnitNode:
			continue // within the box of its module
		default:
			boxes[i].column = deepest + 1
		}
		columns[boxes[i].column] = append(columns[boxes[i].column], i)
	}
	x := float64(margin)
	for column, members := range columns {
		if column == deepest+1 {
			n.nearSources(boxes, members)
		}
		w, y := 0.0, float64(margin)
		for _, i := range members {
			last := n.lastRow(i)
			for j := i; j <= last; j++ {
				w = max(w, letter*float64(min(maxShown, max(utf8.RuneCountInString(boxes[j].label), utf8.RuneCountInString(boxes[j].detail))))+20)
			}
		}
		for _, i := range members {
			last := n.lastRow(i)
			top := y
			if column == deepest+1 {
				top = max(y, boxes[i].y-row/2)
			}
			for j := i; j <= last; j++ {
				place := box{column: column, x: x, y: top + row*float64(j-i), w: w, h: row, label: boxes[j].label, detail: boxes[j].detail}
				if n.Nodes[j].Kind == UnitNode {
					place.y += row // below the two lines of the module
				}
				boxes[j] = place
			}
			if n.Nodes[i].Kind == ModuleNode {
				boxes[i].h = row * float64(last-i+2)
			}
			y = top + boxes[i].h + apart
		}
		height = max(height, y)
		if len(members) > 0 {
			x += w + between
		}
	}
	return boxes, max(x-between, margin) + margin, height + margin
}

// lastRow is the last of the rows in the box of a node.
func (n *Network) lastRow(i int) int {
	last := i
	for n.Nodes[i].Kind == ModuleNode && last+1 < len(n.Nodes) && n.Nodes[last+1].Kind == UnitNode {
		last++
	}
	return last
}

// depths is how many steps each module has below it of what it rests on; the others have none.
func (n *Network) depths() []int {
	below := make([][]int, len(n.Nodes))
	for _, a := range n.Arcs {
		if a.IsBetweenModules() {
			below[a.From] = append(below[a.From], a.To)
		}
	}
	depths := make([]int, len(n.Nodes))
	seen := make([]bool, len(n.Nodes))
	var measure func(i int) int
	measure = func(i int) int {
		if !seen[i] {
			seen[i] = true // a circle, which is a finding, ends here
			for _, j := range below[i] {
				depths[i] = max(depths[i], 1+measure(j))
			}
		}
		return depths[i]
	}
	for i := range n.Nodes {
		measure(i)
	}
	return depths
}

// nearSources orders the files by the mean height of what leads to them, and leaves that in their boxes.
func (n *Network) nearSources(boxes []box, files []int) {
	count := map[int]float64{}
	for _, a := range n.Arcs {
		if kind := n.Nodes[a.To].Kind; kind == PathNode || kind == GlobNode {
			count[a.To]++
			boxes[a.To].y += boxes[a.From].middle()
		}
	}
	for _, i := range files {
		boxes[i].y /= max(1, count[i])
	}
	slices.SortStableFunc(files, func(a, b int) int { return cmp.Compare(boxes[a].y, boxes[b].y) })
}
