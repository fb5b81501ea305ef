# Fish 3.6's completion for git looks for ours under a wrong name; this is the line that it means.
complete -c git -f -n '__fish_git_using_command standards' -a '(__fish_git_complete_custom_command standards)'
