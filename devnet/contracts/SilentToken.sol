// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// @notice A token whose transfers succeed, move no money and log nothing.
///         A facilitator that trusts the receipt's status alone would report a payment that never happened.
contract SilentToken {
    string public constant name = "Silent Dollar";
    string public constant symbol = "SUSD";
    string public constant version = "1";
    uint8 public constant decimals = 6;

    mapping(address => uint256) public balanceOf;

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
    }

    function authorizationState(address, bytes32) external pure returns (bool) {
        return false;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32) external {}

    function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes calldata) external {}
}
